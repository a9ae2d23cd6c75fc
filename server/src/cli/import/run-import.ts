import type { Config } from '#config/config.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import {
  type CommandAnswer,
  type CommandCall,
  type CommandOption,
  changesFound,
  textOption,
} from '../command.ts';
import { asOperator } from '../operator.ts';
import { requireTenantId } from '../store.ts';
import type { Inventory } from './inventory.ts';
import { type Counts, createReport, formatReport } from './report.ts';
import { selectTenant } from './store.ts';
import { writeInventory } from './write-inventory.ts';

export const importOptions: Readonly<Record<string, CommandOption>> = {
  tenant: { value: 'SLUG', summary: 'organization to import into; required if there are several' },
  plan: {
    summary: 'shows what would be created, and creates nothing; exit code 2 if there is something to create',
  },
};

class PlanDone extends Error {
  readonly counts: Counts;

  constructor(counts: Counts) {
    super('planned');
    this.counts = counts;
  }
}

interface Import {
  readonly source: string;
  readonly action: string;
  /** Called with the current database time after the installation has been found. */
  readonly read: (nowMs: number) => Promise<Inventory>;
}

/**
 * Writes an inventory in one transaction. A plan does the same and then rolls back, so that it reports the same
 * errors.
 */
export async function runImport(call: CommandCall, { action, read, source }: Import): Promise<CommandAnswer> {
  const isPlan = call.options.plan === true;
  const { report } = await asOperator(call.config, async ({ system, inTenant, openKeyring }) => {
    const tenantId = await requireTenantId(system, textOption(call, 'tenant'));
    const { nowMs, slug, timeZone } = await selectTenant(system, tenantId);
    const inventory = await read(nowMs);
    const keyring = await openKeyring();
    const deps = { keyring, checkEndpointUrl: checkUrl(call.config), nowMs, timeZone, note: call.note };
    const counts = await inTenant(tenantId, action, async (tx, author) => {
      const written = await writeInventory(deps, tx, author, inventory);
      if (isPlan) throw new PlanDone(written);
      return written;
    }).catch((error: unknown) => {
      if (error instanceof PlanDone) return error.counts;
      throw error;
    });
    const findings = inventory.findings.list();
    return { report: createReport({ source, tenant: slug, isPlan, counts, findings }) };
  });
  const exitCode = isPlan && report.changes > 0 ? changesFound : 0;
  return { json: report, text: formatReport(report), exitCode };
}

const checkUrl =
  ({ canReachPrivateEndpoints: allowPrivate }: Config) =>
  (url: string) =>
    checkEndpointUrl(url, { allowPrivate });
