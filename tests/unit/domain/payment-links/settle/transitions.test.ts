import { describe } from "node:test";
import { testTransitions } from "./transition-rows.ts";

/** When | from | payments in percent of the link | to | events | name. The words are those of transition-rows.ts. */
const TABLES: Readonly<Record<string, string>> = {
  "before the deadline": `
unpicked          | open     |                                    | open             |                    | nothing picked stays open
before            | open     |                                    | awaiting         |                    | a picked network awaits
before            | awaiting | seen 60                            | partial          |                    | less than the whole seen is partial
before            | awaiting | credited 60                        | partial          |                    | less than the whole credited is partial
before            | awaiting | seen 100 unvalued                  | partial          |                    | a payment nobody can value is partial
before            | awaiting | credited 100 unvalued              | partial          |                    | a credited payment nobody can value completes nothing
before            | awaiting | credited 0.01 tiny                 | awaiting         |                    | a payment below the minimum moves nothing
before            | partial  | credited 99.99, credited 0.01 tiny | completed        | completed          | a payment below the minimum completes what was missing
canceled          | awaiting |                                    | expired canceled | failed             | canceled with nothing
canceled unpicked | open     |                                    | expired canceled | failed             | canceled with nothing picked
canceled          | awaiting | seen 60                            | partial          |                    | canceled once money was seen
before            | awaiting | seen 100                           | detected         |                    | the whole seen is detected
before            | partial  | credited 60, seen 40               | detected         |                    | the remainder seen is detected
before            | awaiting | seen 150                           | detected         |                    | more than the whole seen is detected
before            | detected | credited 100                       | completed        | completed          | the whole credited completes
before            | awaiting | credited 100                       | completed        | completed          | the whole credited at the first observation completes
before            | detected | credited 60, credited 40           | completed        | completed          | a part and its exact remainder complete
before            | detected | credited 150                       | overpaid         | completed_overpaid | more than the whole credited is overpaid
before            | detected | credited 100, credited 100         | overpaid         | completed_overpaid | two credited at once are overpaid together
before            | detected | credited 100, seen 100             | completed        | completed          | of two, the one credited completes by itself
before            | detected | credited 60, seen 60               | detected         |                    | of two too small, one credited still waits for the other
before            | detected | credited 60, credited 60           | overpaid         | completed_overpaid | of two too small, both credited are overpaid
before            | detected | dropped 100                        | awaiting         |                    | a dropped payment leaves awaiting
before            | detected | seen 60, dropped 40                | partial          |                    | a dropped part leaves the other part
before            | partial  | dropped 60                         | awaiting         |                    | a dropped part leaves awaiting`,
  "at the deadline and after it": `
second after    | open     |                         | expired expired    | failed    | nothing picked expires at the end of the deadline's second
after           | awaiting |                         | awaiting           |           | nothing seen waits for a pass
one unread      | awaiting |                         | awaiting           |           | nothing seen waits for a network that was never read
pass at the end | awaiting |                         | awaiting           |           | a pass begun at the deadline is not after it
pass            | awaiting |                         | expired expired    | failed    | nothing seen expires after the pass
one behind      | partial  | credited 60             | partial            |           | less than the whole waits for a pass on every network
pass            | partial  | credited 60             | failed underpaid   | failed    | less than the whole fails after the pass
pass            | partial  | seen 60                 | failed underpaid   | failed    | less than the whole, unconfirmed, fails too
pass            | awaiting | credited 0.01 tiny      | expired expired    | failed    | only money below the minimum expires
pass            | partial  | seen 100 unvalued       | partial            |           | the decision waits for a payment that has no value yet
pass            | detected | seen 100                | detected           |           | the whole seen in time waits for its confirmations
pass            | detected | credited 100            | completed          | completed | seen in time, confirmed after the deadline, completes
pass            | awaiting | credited 100 +0s        | completed          | completed | seen at the very deadline is in time
pass            | detected | dropped 100             | expired expired    | failed    | dropped after the deadline expires
pass            | detected | credited 60, dropped 40 | failed underpaid   | failed    | a dropped part after the deadline is underpaid
grace           | detected | seen 100                | failed unconfirmed | failed    | the grace ends with the whole unconfirmed
blind           | detected | seen 100                | detected           |           | a blind watcher does not end the grace
blind           | detected | credited 100            | completed          | completed | confirmed after the grace, before the decision, completes`,
  "after completion": `
before | completed | counted 100, credited 10              | completed | extra | more money is extra
before | completed | counted 100, credited 100             | completed | extra | more money does not make it overpaid
before | overpaid  | counted 150, credited 10              | overpaid  | extra | more money after overpaid is extra
pass   | completed | counted 100, credited 10 late         | completed | extra | late money after completion is extra
before | completed | counted 100, credited 10, credited 10 | completed | extra | two more at once are reported once
before | completed | counted 100, seen 10                  | completed |       | more money unconfirmed says nothing yet
before | completed | counted 100, credited 10 said-extra   | completed |       | extra money already reported is not reported again
before | completed | counted 100, dropped 10 said-extra    | completed |       | reverted extra money changes nothing
pass   | completed | counted 100                           | completed |       | the deadline of a completed link changes nothing`,
  reverted: `
before | completed      | reverted 100                      | detected           | reverted           | a completion reverted into the mempool is detected
before | completed      | lost 100                          | awaiting           | reverted           | a completion dropped is awaiting
before | completed      | counted 60, lost 40               | partial            | reverted           | a part of a completion dropped is partial
before | overpaid       | reverted 150                      | detected           | reverted           | a reverted overpaid link is detected
before | overpaid       | counted 100, lost 50              | completed          | reverted completed | an overpaid link of which the whole remains completes again
before | completed      | lost 100, credited 100 said-extra | completed          | reverted completed | extra money replaces what was reverted
pass   | completed      | reverted 100                      | detected           | reverted           | reverted after the deadline, it may confirm within the grace
pass   | completed      | lost 100                          | expired expired    | reverted failed    | dropped after the deadline it expires
pass   | completed      | counted 60, lost 40               | failed underpaid   | reverted failed    | a part dropped after the deadline is underpaid
grace  | completed      | reverted 100                      | failed unconfirmed | reverted failed    | reverted after the grace, it fails
before | reverted       | credited 100                      | completed          | completed          | confirmed again it completes again
accept | completed late | reverted 100 late                 | expired expired    | reverted failed    | a reverted late completion fails again
accept | completed late | counted 60, reverted 40 late      | failed underpaid   | reverted failed    | a reverted late completion leaves the part in time`,
  "in the deadline's second, which belongs to the time to pay": `
pass                | awaiting     | credited 100 +0.999s                                  | completed            | completed   | money in the deadline's second is in time
pass                | awaiting     | credited 100 +1s                                      | expired expired late | failed late | money in the second after the deadline's is late
last second         | awaiting     |                                                       | awaiting             |             | nothing is decided in the deadline's second
pass in last second | awaiting     |                                                       | awaiting             |             | nothing is decided after a pass in the deadline's second
pass                | expired      | credited 100 -30s                                     | expired expired late | late        | money that the decision did not see is late, whatever the time of its block
accept              | expired      | credited 100 -30s                                     | completed late       | completed   | money that the decision did not see is accepted late, whatever the time of its block
accept              | expired late | credited 60 -30s said-late reported, credited 40 late | completed late       | completed   | late money stays late when a reorg gives its block an earlier time`,
  "late, held": `
after | awaiting     | credited 100 late                            | awaiting                |                 | late money before the decision changes nothing
pass  | awaiting     | credited 100 late                            | expired expired late    | failed late     | late money at the decision is reported with it
pass  | expired      | credited 100 late                            | expired expired late    | late            | late money is held, the state stays
pass  | expired      | seen 100 late                                | expired expired         |                 | late money unconfirmed says nothing yet
pass  | underpaid    | credited 60 said-failed, credited 40 late    | failed underpaid late   | late            | the late rest of an underpaid link is held
pass  | expired late | credited 100 late said-late                  | expired expired late    |                 | late money already reported is not reported again
pass  | expired late | credited 100 late said-late, credited 5 late | expired expired late    | late            | more late money is reported again
pass  | underpaid    | credited 60 said-failed                      | failed underpaid        |                 | money in time that confirms after the failure that reported it is not late
grace | unconfirmed  | credited 100                                 | failed unconfirmed late | late            | money that confirms after the grace is late
pass  | detected     | credited 100, credited 10 late               | completed               | completed extra | late money in addition to money in time that completes is extra
pass  | underpaid    | dropped 60 said-failed                       | failed underpaid        |                 | a payment dropped after the failure changes no decision`,
  "late, accepted": `
accept             | expired      | credited 100 late                            | completed late       | completed          | late money accepted completes an expired link
accept             | expired      | credited 150 late                            | overpaid late        | completed_overpaid | late money accepted overpays an expired link
accept             | underpaid    | credited 60 said-failed, credited 40 late    | completed late       | completed          | the late rest accepted completes an underpaid link
accept unread      | partial      | credited 60, credited 40 late                | completed late       | completed          | the late rest accepted completes before the decision
accept             | expired      | credited 60 late                             | expired expired late | late               | late money that is not enough is reported, not accepted
accept             | expired late | credited 60 late said-late, credited 40 late | completed late       | completed          | the rest of late money already reported completes
accept             | expired      | seen 100 late                                | expired expired      |                    | late money unconfirmed is not accepted yet
accept unread      | awaiting     | seen 100 late                                | awaiting             |                    | late money unconfirmed is not detected
accept after grace | unconfirmed  | credited 100                                 | completed late       | completed          | money that confirms after the grace is accepted late
accept             | detected     | credited 100                                 | completed            | completed          | money in time completes without being late`,
};

for (const [when, table] of Object.entries(TABLES))
  describe(`every transition of a payment link: ${when}`, () => testTransitions(table));
