import BitpalModel
import BitpalPortfolio
import FoundationEssentials
import Glibc

// Records one transaction after another until it is killed, and says so after each: `transaction-writer FILE FIRST`.
// A line is an acknowledgement: what is in it must be found again.
let file = UserDataFile(path: CommandLine.arguments[1])
let store = TransactionStore(file: file)
var number = Int64(CommandLine.arguments[2]) ?? 0
while true {
  let transaction = try store.add(
    TransactionDraft(
      coinId: "bitcoin", type: .buy, amount: 1, pricePerCoin: 1, date: Date(milliseconds: number)),
    currency: "usd", now: Date(milliseconds: 1_736_937_000_000))
  if number % 7 == 6 { _ = try store.remove(transaction.id, now: Date(milliseconds: 1_736_937_000_000)) }
  let line = Array("\(number) \(number % 7 == 6 ? "-" : transaction.id.uuidString)\n".utf8)
  guard write(1, line, line.count) == line.count else { exit(1) }
  number += 1
}
