import { listApiKeys } from '#console/api-keys/get-status.ts';
import { readKeptChats } from '#console/chats/read-kept.ts';
import { startDownload } from '#console/exports/start-download.ts';
import { recordExport } from '#console/exports/start-export.ts';
import { readOwnLogs } from '#console/logs/user-logs.ts';
import { readPreferences } from '#console/preferences/preferences.ts';
import { listUserTasks } from '#console/tasks/user-tasks.ts';
import type { LogTransaction } from '#db/tenant.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { getUserProfile } from './profile.ts';
import { readAllDays } from './usage.ts';

const noun = 'my-data';

export function exportUserData(ctx: SignedInContext): Promise<Download> {
  const file = { noun, extension: 'json', mediaType: 'application/json' };
  return startDownload(ctx, file, () => writeData(ctx));
}

async function* writeData(ctx: SignedInContext): AsyncGenerator<string> {
  const { principal } = ctx;
  const head = await ctx.inTenant(async (tx) => {
    await recordExport(tx, noun, { format: 'json' });
    return {
      exported_at: new Date().toISOString(),
      profile: await getUserProfile(tx, principal),
      preferences: await readPreferences(tx, principal),
      api_keys: await listApiKeys(tx, principal),
      tasks: await listUserTasks(tx, principal),
      usage_days: await readAllDays(tx, principal),
    };
  });
  // Omit the closing brace, because long lists are appended in batches.
  yield JSON.stringify(head).slice(0, -1);
  yield* writeList(ctx, 'logs', (tx, before) => readOwnLogs(tx, principal, before));
  yield* writeList(ctx, 'chats', (tx, before) => readKeptChats(tx, principal, before));
  yield '}\n';
}

type ReadBatch = (
  tx: LogTransaction,
  before: string | undefined,
) => Promise<readonly { readonly id: string }[]>;

async function* writeList(ctx: SignedInContext, name: string, readBatch: ReadBatch): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let before: string | undefined;
  do {
    const key: string | undefined = before;
    const rows = await ctx.inTenant((tx) => readBatch(tx, key));
    const texts = rows.map((row) => JSON.stringify(row));
    if (texts.length > 0) yield `${key === undefined ? '\n' : ',\n'}${texts.join(',\n')}`;
    before = rows.at(-1)?.id;
  } while (before !== undefined);
  yield ']';
}
