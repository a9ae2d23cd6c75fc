import type { AllowanceKey, LeaseDatabase, LeaseState } from '../allowance/lease-queries.ts';
import type { RecordedPart } from '../request-log/request-record.ts';

/** Returns the limit and the amount used at the start; `undefined` if the allowance does not exist. */
export type FindAllowance = (
  key: AllowanceKey,
) => { readonly limit: number | null; readonly settled: number } | undefined;

interface Row {
  readonly id: string;
  readonly limit: number | null;
  settled: number;
  leased: number;
  granted: number;
  returned: number;
  spent: number;
  overrun: number;
}

/** Allowances in memory for a single node, with the same rules as the statements in `lease-queries.ts`. */
export class MemoryAllowances implements LeaseDatabase {
  readonly #find: FindAllowance;
  readonly #rows = new Map<string, Row>();
  readonly #byKey = new Map<string, Row | undefined>();

  constructor(find: FindAllowance) {
    this.#find = find;
  }

  register = () => Promise.resolve(0);
  renew = () => Promise.resolve(0);
  announce = () => Promise.resolve();

  async open(_nodeId: string, keys: readonly AllowanceKey[]) {
    return keys.flatMap((key, index) => {
      const row = this.#open(key);
      return row ? [{ ...toState(row), index, returned: row.returned }] : [];
    });
  }

  async change(_nodeId: string, changes: Parameters<LeaseDatabase['change']>[1]) {
    return changes.flatMap(({ allowanceId, nearEnd, returned, slice, want }) => {
      const row = this.#rows.get(allowanceId);
      if (!row) return [];
      const back = Math.min(Math.max(returned - row.returned, 0), row.granted - row.returned - row.spent);
      const free = leftOf(row) + back;
      const gain = row.limit === null ? 0 : Math.max(0, Math.min(free, free < nearEnd ? want : slice));
      row.granted += gain;
      row.returned += back;
      row.leased += gain - back;
      return [toState(row)];
    });
  }

  settle(parts: readonly RecordedPart[]): void {
    for (const { allowanceId, leased, used } of parts) {
      const row = this.#rows.get(allowanceId);
      if (!row) continue;
      const spent = Math.min(used, leased);
      row.settled += used;
      row.leased -= spent;
      row.spent += spent;
      row.overrun += Math.max(0, used - leased);
    }
  }

  #open(key: AllowanceKey): Row | undefined {
    const name = `${key.kind} ${key.subjectId} ${key.windowStartMs}`;
    return this.#byKey.getOrInsertComputed(name, () => {
      const found = this.#find(key);
      if (!found) return undefined;
      const id = String(this.#rows.size + 1);
      const row = { id, ...found, leased: 0, granted: 0, returned: 0, spent: 0, overrun: 0 };
      this.#rows.set(id, row);
      return row;
    });
  }
}

const leftOf = ({ leased, limit, settled }: Row) => (limit === null ? 0 : limit - settled - leased);

function toState(row: Row): LeaseState {
  const { granted, id, limit, overrun, settled } = row;
  return { allowanceId: id, granted, limit, settled, overrun, left: leftOf(row), otherHolders: 0 };
}
