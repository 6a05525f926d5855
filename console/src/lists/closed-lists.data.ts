/** Members with a fixed set of values, by their lookup. The build puts the values in this file's place. */
import { approvalActs, approvalEndReasons, approvalStatuses } from '../../../contract/access/approvals.ts'
import {
  lawCorrections,
  lawFindingKinds,
  lawFindingStatuses,
  lawObstacles,
} from '../../../contract/cases/law-reviews.ts'
import {
  forbearanceMeasures,
  objectionDecisions,
  objectionKinds,
  objectionMatters,
  objectionStatuses,
} from '../../../contract/cases/objections.ts'
import { callOutcomes, promiseStatuses } from '../../../contract/work/calls.ts'
import { workReasons } from '../../../contract/work/work.ts'
import {
  caseStatuses,
  caseStatusCodes,
  closureCodeList,
  debtorRoles,
  holds,
  services,
} from '../../../core/cases/case-lifecycle.ts'
import { dayCountCodes } from '../../../core/interest/day-count.ts'
import { dueDateBases } from '../../../core/law/terms.ts'
import { allocationOrderCodes } from '../../../core/ledger/allocation.ts'
import { claimKinds, interruptions } from '../../../core/limitation/limitation.ts'

export const closedLists: Record<string, readonly string[]> = {
  allocationorder: allocationOrderCodes,
  caseservice: services,
  casestatus: caseStatusCodes,
  casesubstatus: [...new Set(Object.values(caseStatuses).flatMap(({ subStatuses }) => subStatuses))],
  claimkind: claimKinds,
  closurecode: closureCodeList,
  daycount: dayCountCodes,
  debtorrole: debtorRoles,
  duedatebasis: dueDateBases,
  holdreason: holds,
  lawcorrection: lawCorrections,
  lawfindingkind: lawFindingKinds,
  lawfindingstatus: lawFindingStatuses,
  lawobstacle: lawObstacles,
  forbearance: forbearanceMeasures,
  objectiondecision: objectionDecisions,
  objectionkind: objectionKinds,
  objectionmatter: objectionMatters,
  objectionstatus: objectionStatuses,
  interruption: interruptions,
  workreason: workReasons,
  calloutcome: callOutcomes,
  promisestatus: promiseStatuses,
  approvalact: approvalActs,
  approvalstatus: approvalStatuses,
  approvalendreason: approvalEndReasons,
}
