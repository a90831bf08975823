# Completion of bitpal for bash; made by "bitpal completion bash".

_bitpal() {
  local current=${COMP_WORDS[COMP_CWORD]} word rest
  # bash splits --option=value into three words.
  [[ $current == "=" ]] && current=
  COMPREPLY=()
  while IFS=$'	' read -r word rest; do
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
