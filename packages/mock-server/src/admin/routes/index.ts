import type { AdminRoutes } from '../route.ts'
import { clockAndSnapshotRoutes } from './clock-and-snapshots.ts'
import { descriptionRoutes } from './descriptions.ts'
import { faultRoutes } from './faults.ts'
import { guildRoutes } from './guilds.ts'
import { keyRoutes } from './keys.ts'
import { requestRoutes } from './requests.ts'
import { stubRoutes } from './stubs.ts'
import { transactionRoutes } from './transactions.ts'

/** Every operation of the admin API: requests are routed by this table, and `admin.openapi.json` is made from it. */
export const adminRoutes: AdminRoutes = {
  ...guildRoutes,
  ...keyRoutes,
  ...transactionRoutes,
  ...faultRoutes,
  ...requestRoutes,
  ...stubRoutes,
  ...descriptionRoutes,
  ...clockAndSnapshotRoutes,
}
