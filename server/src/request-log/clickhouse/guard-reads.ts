import { LogStoreError } from '#domain/request-log/log-store-error.ts';
import { type Clock, monotonicClock } from '#platform/clock.ts';
import type { ClickhouseConnection } from './connection.ts';

const slowMs = 2_000;
/**
 * Maximum number of slow queries per process. Further queries are rejected, because the console uses one PostgreSQL
 * connection for each query.
 */
const slowMax = 2;
const failuresMax = 2;
const cooldownMs = 5_000;
const pingTimeoutMs = 1_000;

/**
 * Rejects reads immediately while ClickHouse does not respond, so that pending reads do not use up the console's
 * connections. After a cooldown, one caller checks whether ClickHouse responds again.
 */
export function guardReads(
  connection: ClickhouseConnection,
  clock: Clock = monotonicClock,
): ClickhouseConnection {
  const guard = createGuard(connection, clock);
  return {
    ...connection,
    read: (query, options) => guard(() => connection.read(query, options)),
    async *stream<Row>(query: string, options?: Parameters<ClickhouseConnection['stream']>[1]) {
      const rows = connection.stream<Row>(query, options);
      try {
        const first = await guard(() => rows.next());
        if (first.done) return;
        yield first.value;
        yield* rows;
      } finally {
        await rows.return(undefined);
      }
    },
  };
}

function createGuard(connection: ClickhouseConnection, clock: Clock) {
  const startedMs = new Set<{ readonly ms: number }>();
  const circuit = createCircuit(connection, clock);
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (circuit.isOpen()) await circuit.check();
    const slow = [...startedMs].filter(({ ms }) => clock() - ms >= slowMs).length;
    if (slow >= slowMax) throw new LogStoreError(`${slow} queries of the request log wait for a response.`);
    const started = { ms: clock() };
    startedMs.add(started);
    try {
      const result = await work();
      circuit.note(true);
      return result;
    } catch (error) {
      circuit.note(!(error instanceof LogStoreError));
      throw error;
    } finally {
      startedMs.delete(started);
    }
  };
}

function createCircuit(connection: ClickhouseConnection, clock: Clock) {
  let failures = 0;
  let closedFromMs = 0;
  let isChecking = false;
  const note = (hasResponse: boolean) => {
    failures = hasResponse ? 0 : failures + 1;
    if (failures >= failuresMax) closedFromMs = clock() + cooldownMs;
  };
  return {
    /** Called after each query. `hasResponse` is true if ClickHouse responded. */
    note,
    isOpen: () => failures >= failuresMax,
    /**
     * Closes the circuit if ClickHouse responds.
     * @throws LogStoreError if ClickHouse does not respond, during the cooldown, or while another caller runs the
     * check
     */
    async check(): Promise<void> {
      if (isChecking || clock() < closedFromMs) throw new LogStoreError('The request log does not respond.');
      isChecking = true;
      try {
        await connection.read('SELECT 1', { timeoutMs: pingTimeoutMs, isQuick: true });
        note(true);
      } catch (error) {
        note(false);
        throw error;
      } finally {
        isChecking = false;
      }
    },
  };
}
