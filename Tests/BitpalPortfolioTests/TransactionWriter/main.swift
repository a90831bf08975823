import BitpalModel
import BitpalPortfolio
import FoundationEssentials
import Glibc

// Works on a data file until it is killed, and says so after each step: a line is an acknowledgement.
//
// `transaction-writer FILE FIRST` records one transaction after another; what is acknowledged must be found again.
// `transaction-writer FILE restore BACKUP BACKUP` restores the one and the other in turn.
let file = UserDataFile(path: CommandLine.arguments[1])
let now = Date(milliseconds: 1_736_937_000_000)

func acknowledge(_ words: String) {
  let line = Array((words + "\n").utf8)
  guard write(1, line, line.count) == line.count else { exit(1) }
}

if CommandLine.arguments[2] == "restore" {
  let backups = CommandLine.arguments[3...]
  while true {
    for backup in backups { acknowledge(try file.restore(from: backup, now: now) ?? "-") }
  }
}

let store = TransactionStore(file: file)
var number = Int64(CommandLine.arguments[2]) ?? 0
while true {
  let transaction = try store.add(
    TransactionDraft(
      coinId: "bitcoin", type: .buy, amount: 1, pricePerCoin: 1, date: Date(milliseconds: number)),
    currency: "usd", now: now)
  if number % 7 == 6 { _ = try store.remove(transaction.id, now: now) }
  acknowledge("\(number) \(number % 7 == 6 ? "-" : transaction.id.uuidString)")
  number += 1
}
