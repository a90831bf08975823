# Completion of bitpal for fish; made by "bitpal completion fish".

function __bitpal_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l rows (command bitpal generate complete -- $words[2..-1] "$current" 2>/dev/null)
    if string match -q -- ':files*' "$rows[1]"
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current")
    else
        printf '%s
' $rows
    end
end

complete -c bitpal -f -a '(__bitpal_complete)'
