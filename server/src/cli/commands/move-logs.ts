import { logStoreUrl } from '#config/value-formats.ts';
import { readSecretFile } from '#configuration-file/secrets.ts';
import { runAlone } from '#db/log-moves/move-state.ts';
import { connect } from '#request-log/clickhouse/connection.ts';
import { type DayLeft, endMove, listDays, type Move, moveLog, openMove } from '#request-log/move/move-log.ts';
import {
  type Command,
  type CommandAnswer,
  type CommandCall,
  countOption,
  formatTable,
  textOption,
  UsageError,
} from '../command.ts';
import { asOperator, type Operator } from '../operator.ts';

const rowsPerSecondDefault = 5_000;
const batchRows = 1_000;
const noteEveryMs = 10_000;
/** Statement timeout. Summing a day with millions of rows takes minutes on a slow disk. */
const statementMs = 600_000;
const dayMs = 86_400_000;

export const moveLogs: Command = {
  name: 'logs move',
  summary: 'Copies the request log to ClickHouse or back to PostgreSQL while Sluice is running',
  details:
    'Days are copied newest first, and compared by counts and sums. Run it before and after you change SLUICE_LOG_STORE on the nodes: before, it copies past days and deletes nothing; after, it also deletes each compared day from the old database. You can stop it at any time; the next run continues. The exit code is 1 if a day differs. See docs/operating/clickhouse.md.',
  options: {
    to: { value: 'DATABASE', summary: 'clickhouse or postgres' },
    'store-file': { value: 'PATH', summary: 'file with the URL of ClickHouse; default: SLUICE_LOG_STORE' },
    rate: { value: 'N', summary: `maximum number of rows per second; default: ${rowsPerSecondDefault}` },
    status: { summary: 'shows the remaining days, and moves nothing' },
  },
  async run(call) {
    const to = textOption(call, 'to');
    if (to !== 'clickhouse' && to !== 'postgres')
      throw new UsageError('--to must be clickhouse or postgres.');
    const rowsPerSecond = countOption(call, 'rate', rowsPerSecondDefault);
    const storeUrl = readStoreUrl(call);
    const work = async ({ pool }: Operator) => {
      const connection = connect(storeUrl);
      try {
        const move = openMove(pool, connection, { to, isClickhouseInUse: call.config.logStoreUrl !== null });
        if (call.options.status) return await showStatus(move);
        return await runAlone(pool, () => run(move, call, rowsPerSecond));
      } finally {
        await connection.close();
      }
    };
    return asOperator(call.config, work, { statementMs });
  },
};

function readStoreUrl(call: CommandCall): string {
  const path = textOption(call, 'store-file');
  const inUse = call.config.logStoreUrl;
  if (path === undefined) {
    if (inUse !== null) return inUse;
    throw new UsageError(
      'SLUICE_LOG_STORE is not set. Use --store-file to name a file with the URL of ClickHouse.',
    );
  }
  const secret = readSecretFile(path);
  if (!secret.ok) throw new UsageError(`${secret.problem}.`);
  const { data } = logStoreUrl().safeParse(secret.value);
  if (data === undefined)
    throw new UsageError(
      `${path} does not contain a valid ClickHouse URL. The URL must have the form https://user:password@host:8443/database.`,
    );
  if (inUse !== null && data !== inUse)
    throw new UsageError(`${path} and SLUICE_LOG_STORE have different URLs. Remove --store-file.`);
  return data;
}

async function run(move: Move, call: CommandCall, rowsPerSecond: number): Promise<CommandAnswer> {
  const before = await listDays(move, Date.now());
  const rowsOf = new Map(before.map(({ day, rows }) => [day, rows]));
  let [moved, notedMs] = [0, performance.now()];
  const differing = await moveLog(move, {
    ...{ nowMs: Date.now(), rowsPerSecond, batchRows },
    onProgress({ day, rows, differing: tenants }) {
      moved += rows ?? 0;
      if (tenants) call.note(`${dateOf(day)}: ${describeDay(move, rowsOf.get(day) ?? 0, tenants)}`);
      else if (performance.now() - notedMs >= noteEveryMs) {
        notedMs = performance.now();
        call.note(`${dateOf(day)}: ${moved.toLocaleString('en')} rows copied so far`);
      }
    },
  });
  const left = move.isTargetInUse ? await listDays(move, Date.now()) : [];
  const isOver = move.isTargetInUse && left.length === 0 && (await endMove(move));
  return {
    json: {
      days: before.length,
      rows: moved,
      differing: differing.map(dateOf),
      rows_left: sumRows(left),
      is_over: isOver,
    },
    text: summarize(move, before, differing, { left, isOver }),
    exitCode: differing.length > 0 ? 1 : 0,
  };
}

function describeDay({ isTargetInUse }: Move, rows: number, differing: readonly number[]): string {
  if (differing.length > 0)
    return `differs for the organizations ${differing.join(', ')}; nothing was deleted`;
  return `${rows.toLocaleString('en')} rows compared${isTargetInUse ? ' and moved' : ''}`;
}

function summarize(
  move: Move,
  days: readonly DayLeft[],
  differing: readonly number[],
  { left, isOver }: { readonly left: readonly DayLeft[]; readonly isOver: boolean },
): string {
  const checked = `${(days.length - differing.length).toLocaleString('en')} of ${days.length.toLocaleString('en')} days are equal in both databases.`;
  if (!move.isTargetInUse)
    return `${checked} Change SLUICE_LOG_STORE on the nodes, then run this command again.`;
  if (left.length > 0)
    return `${checked} ${sumRows(left).toLocaleString('en')} rows are left. Run this command again.`;
  return isOver
    ? `${checked} Nothing is left in the old database.`
    : `${checked} Nothing is left in the old database, but nodes may still deliver requests to it. Run this command again when all nodes have restarted.`;
}

async function showStatus(move: Move): Promise<CommandAnswer> {
  const days = await listDays(move, Date.now());
  const columns = move.isTargetInUse ? ['DAY', 'ROWS TO MOVE'] : ['DAY', 'ROWS TO COPY OR COMPARE'];
  return {
    json: days.map(({ day, rows }) => ({ day: dateOf(day), rows })),
    text: formatTable(
      columns,
      days.map(({ day, rows }) => [dateOf(day), rows]),
    ),
  };
}

const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const sumRows = (days: readonly DayLeft[]) => days.reduce((sum, { rows }) => sum + rows, 0);
