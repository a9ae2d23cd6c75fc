import { lowerBanner, raiseBanner } from '#banners/banners.ts';
import { findDrift } from '#ledger/prove.ts';
import type { Job } from './job.ts';

const bannerId = 'ledger-drift';

/** Every minute, compares each balance with its last entry. */
export const checkLastEntries: Job = checkLedger('check-last-entries', '* * * * *', 'last entry');

/** Every hour, compares each balance with the sum of its entries. Only this job withdraws the banner. */
export const checkLedgerSums: Job = checkLedger('check-ledger-sums', '17 * * * *', 'sum');

function checkLedger(name: string, pattern: string, by: Parameters<typeof findDrift>[1]): Job {
  return {
    name,
    pattern,
    async run(tx, log) {
      const drifts = await findDrift(tx, by);
      if (drifts.length === 0) {
        if (by === 'sum') await lowerBanner(tx, bannerId);
        return { drifts: 0 };
      }
      for (const { tenantId, balance, booked } of drifts) {
        log.error(
          { tenantId, balance: String(balance), booked: String(booked) },
          'a balance differs from its ledger',
        );
      }
      const tenants = drifts.map(({ tenantId }) => tenantId).join(', ');
      await raiseBanner(tx, {
        id: bannerId,
        severity: 'error',
        message: `The credits of these tenants differ from their ledger: ${tenants}. See the log for the amounts.`,
        audience: 'super_admin',
      });
      return { drifts: drifts.length };
    },
  };
}
