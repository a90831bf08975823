import BitpalModel

/// `docs/environment.md`: variables and exit codes.
struct EnvironmentPage {
  var text: String {
    """
    # Environment and exit status

    This page is made from the program by `make docs-cli`; `bitpal doctor` shows what is in force on your machine.

    ## Variables

    A flag goes before a variable, a variable before the settings file, the file before the defaults. A variable that is
    empty counts as not set, and a relative path in an `XDG_` variable is ignored.

    | variable | what it decides |
    | --- | --- |
    \(EnvironmentVariable.all.map { "| \(MarkdownText.code($0.name)) | \(MarkdownText.cell($0.meaning)) |" }.joined(separator: "\n"))

    ## Exit status

    | status | means |
    | --- | --- |
    \(ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }.joined(separator: "\n"))

    ## Error codes

    With `--format json` every error has a `code`. The exit status is that of a command that fails as a whole for it.

    | code | exit status | means |
    | --- | --- | --- |
    \(ErrorCode.allCases.map { "| `\($0.rawValue)` | \(ExitStatus($0).rawValue) | \($0.meaning) |" }.joined(separator: "\n"))

    """
  }
}
