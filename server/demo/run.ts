// npm run demo -- --rows 100000 [--days 90] [--seed-only]: starts Sluice with generated data in its own data folder.
import { parseArgs } from 'node:util';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Config } from '#config/config.ts';
import { readConfig } from '#config/read-config.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { startProduct } from '#product/start-product.ts';
import type { Database } from '#supervisor/supervise.ts';
import { seedLog } from './seed-log.ts';
import { seedPeople } from './seed-people.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    days: { type: 'string', default: '90' },
    'seed-only': { type: 'boolean', default: false },
  },
});
const textRowsMax = 200_000;
const rows = readCount('rows', values.rows, 100_000_000);
const days = readCount('days', values.days, 1000);

process.stdout.on('error', () => undefined);
try {
  const config = readConfig({ SLUICE_DATA_DIR: './demo-data', ...process.env });
  await startProduct(config, (database) => fill(config, database));
  if (values['seed-only']) process.kill(process.pid, 'SIGTERM');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** A database with requests is left unchanged. */
async function fill(config: Config, { directConnectionString, secret }: Database): Promise<void> {
  const connectionString = directConnectionString;
  const client = new pg.Client({ connectionString });
  const other = new pg.Client({ connectionString });
  await Promise.all([client.connect(), other.connect()]);
  try {
    const { rows: requests } = await client.query('SELECT FROM request_logs LIMIT 1');
    if (requests.length > 0) return console.log('There are requests already, so nothing is added.');
    const beganAtMs = performance.now();
    // Users must be at least as old as the first day of the log.
    await seedPeople(client, { sinceMs: Date.now() - (days + 1) * 86_400_000 });
    let done = 0;
    await seedLog(client, {
      rows,
      days,
      // Texts are stored for all days of a new tenant's retention, unless there are too many rows.
      bodyDays: rows <= textRowsMax ? days : 3,
      nowMs: Date.now(),
      links: {
        keyring: createKeyring(secret, {
          formerSecrets: config.formerSecrets,
          installed: await findInstalledSecret(drizzle({ client })),
        }),
        publicUrl: config.http.publicUrl,
      },
      others: [other],
      onDay({ day, rows: added }) {
        done += added;
        if (day % 10 === 0) console.log(`day ${day} of ${days}: ${done} of ${rows} rows`);
      },
    });
    const seconds = (performance.now() - beganAtMs) / 1000;
    console.log(`${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} per second`);
  } finally {
    await Promise.all([client.end(), other.end()]);
  }
}

function readCount(name: string, text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  console.error(`--${name} must be a whole number from 1 to ${most}.`);
  process.exit(1);
}
