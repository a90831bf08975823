/// The completion script of a shell: it passes the words typed so far to `bitpal generate complete` and offers the answer.
///
/// Words come from coin lists and files of others, so no script evaluates them: they are compared and quoted.
enum CompletionScript: String, CaseIterable {
  /// bash 4 or newer, without the package bash-completion.
  case bash

  case zsh
  case fish

  /// The name of the file below `docs/completions`.
  var file: String {
    switch self {
    case .bash: "bitpal.bash"
    case .zsh: "_bitpal"
    case .fish: "bitpal.fish"
    }
  }

  var text: String {
    switch self {
    case .bash:
      """
      # Completion of bitpal for bash; made by "bitpal completion bash".

      _bitpal() {
        local current=${COMP_WORDS[COMP_CWORD]} word rest
        # bash splits --option=value into three words.
        [[ $current == "=" ]] && current=
        COMPREPLY=()
        while IFS=$'\t' read -r word rest; do
          if [[ $word == :files ]]; then
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
          fi
          [[ $word == "$current"* ]] || continue
          printf -v word %q "$word"
          COMPREPLY+=("$word")
        done < <(command bitpal generate complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }

      complete -F _bitpal bitpal

      """
    case .zsh:
      """
      #compdef bitpal
      # Completion of bitpal for zsh; made by "bitpal completion zsh".

      _bitpal() {
        local -a rows
        rows=("${(@f)$(command bitpal generate complete -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
        [[ -n $rows[1] ]] || return 1
        if [[ $rows[1] == :files* ]]; then
          [[ $PREFIX == --*=* ]] && compset -P '*='
          _files
          return
        fi
        rows=("${(@)rows//\\/\\\\}")
        rows=("${(@)rows//:/\\:}")
        rows=("${(@)rows/$'\t'/:}")
        _describe -t arguments argument rows
      }

      if [[ $funcstack[1] == _bitpal ]]; then
        _bitpal "$@"
      else
        compdef _bitpal bitpal
      fi

      """
    case .fish:
      """
      # Completion of bitpal for fish; made by "bitpal completion fish".

      function __bitpal_complete
          set -l words (commandline -opc)
          set -l current (commandline -ct)
          set -l rows (command bitpal generate complete -- $words[2..-1] "$current" 2>/dev/null)
          if string match -q -- ':files*' "$rows[1]"
              __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current")
          else
              printf '%s\n' $rows
          end
      end

      complete -c bitpal -f -a '(__bitpal_complete)'

      """
    }
  }
}
