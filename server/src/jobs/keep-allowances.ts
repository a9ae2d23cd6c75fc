import { sql } from 'drizzle-orm';
import { lowerBanner, raiseBanner } from '#banners/banners.ts';
import { countLeaseDrifts } from '#gateway/allowance/count-lease-drifts.ts';
import { countExpiredNodes, deleteOldWindows, expireNodes } from '#gateway/allowance/expired-nodes.ts';
import type { Job } from './job.ts';

const bannerId = 'lost-journals';

/** Expires the quotas held by lost nodes every minute, and shows operators a banner for a day. */
export const expireLostNodes: Job = {
  name: 'expire-nodes',
  pattern: '* * * * *',
  async run(tx, log) {
    for (const nodeId of await expireNodes(tx))
      log.error({ nodeId }, 'a node has not reported for ten minutes; its leased quota counts as used');
    const lost = await countExpiredNodes(tx);
    const figures = { lostNodes: lost };
    if (lost === 0) {
      await lowerBanner(tx, bannerId);
      return figures;
    }
    await raiseBanner(tx, {
      id: bannerId,
      severity: 'warning',
      message: `${lost === 1 ? 'A worker is' : `${lost} workers are`} lost, including what was not yet written to the database. Their leased quotas count as used unless they start again with their data folder.`,
      audience: 'super_admin',
    });
    return figures;
  },
};

/** Every five minutes, compares the leases of each limit with those of the nodes. */
export const checkLeases: Job = {
  name: 'check-leases',
  pattern: '*/5 * * * *',
  async run(tx, log) {
    const drifts = await countLeaseDrifts(tx);
    if (drifts > 0)
      log.error({ drifts }, 'the leased amount of some limits differs from what the nodes hold');
    return { drifts };
  },
};

/** Deletes old ended windows every 15 minutes. */
export const deleteEndedWindows: Job = {
  name: 'delete-ended-windows',
  pattern: '*/15 * * * *',
  run: deleteOldWindows,
};

/** Restores the limits of budgets whose raise has ended. Runs every five seconds. */
export const endBudgetRaises: Job = {
  name: 'end-budget-raises',
  pattern: '*/5 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE budgets SET raised_limit = NULL, raised_until = NULL, raise_reason = NULL
      WHERE raised_until <= now()`);
  },
};
