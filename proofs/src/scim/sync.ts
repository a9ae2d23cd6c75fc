import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Directory {
  readonly baseUrl: string;
  readonly token: string;
}

interface SyncSize {
  readonly users: number;
  readonly groups: number;
}

/** Durations in milliseconds of requests of one kind. */
export interface Step {
  readonly name: string;
  readonly requests: number;
  readonly seconds: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly failures: readonly string[];
}

const openMax = 8;
const batchSize = 100;

/** Synchronizes users and groups like Entra ID: look up, create, add members in batches, read all, deactivate some. */
export async function syncDirectory(directory: Directory, { users, groups }: SyncSize): Promise<Step[]> {
  const addresses = Array.from({ length: users }, (_, index) => `person-${index}@directory.test`);
  const ids = new Map<string, string>();
  const teams = new Map<number, string>();
  const create = (path: string, body: object) => send(directory, 'POST', path, body);
  const find = (path: string, filter: string) =>
    send(directory, 'GET', `${path}?filter=${encodeURIComponent(filter)}`);
  const steps = [
    await measure('look up users', addresses, (address) => find('/Users', `userName eq "${address}"`)),
    await measure('create users', addresses, async (userName, index) => {
      const name = { givenName: 'Person', familyName: String(index) };
      ids.set(
        userName,
        (await create('/Users', { userName, name, externalId: `u${index}`, active: true })).id,
      );
    }),
    await measure('create groups', count(groups), async (group) => {
      await find('/Groups', `displayName eq "Group ${group}"`);
      teams.set(
        group,
        (await create('/Groups', { displayName: `Group ${group}`, externalId: `g${group}` })).id,
      );
    }),
    await measure('add members, 100 at a time', listBatches(addresses, groups), ({ group, members }) => {
      const value = members.map((address) => ({ value: ids.get(address) }));
      return patch(directory, `/Groups/${teams.get(group)}`, { op: 'Add', path: 'members', value });
    }),
    await measure('read all users, 200 at a time', count(Math.ceil(users / 200)), (page) =>
      send(directory, 'GET', `/Users?startIndex=${page * 200 + 1}&count=200`),
    ),
    await measure('read the largest group', count(10), () =>
      send(directory, 'GET', `/Groups/${teams.get(0)}`),
    ),
    await measure('read groups with members', count(Math.ceil(groups / 100)), (page) =>
      send(directory, 'GET', `/Groups?startIndex=${page * 100 + 1}&count=100`),
    ),
    await measure('deactivate users', addresses.slice(0, Math.ceil(users / 50)), (address) =>
      patch(directory, `/Users/${ids.get(address)}`, { op: 'Replace', path: 'active', value: 'False' }),
    ),
  ];
  return steps;
}

const count = (size: number) => Array.from({ length: size }, (_, index) => index);

/** The first group contains all users, and each user is in one other group. */
function listBatches(addresses: readonly string[], groups: number) {
  const membersOf = (group: number) =>
    group === 0 ? [...addresses] : addresses.filter((_, index) => index % (groups - 1) === group - 1);
  return count(groups).flatMap((group) => {
    const members = membersOf(group);
    return count(Math.ceil(members.length / batchSize)).map((batch) => ({
      group,
      members: members.slice(batch * batchSize, (batch + 1) * batchSize),
    }));
  });
}

async function measure<Item>(
  name: string,
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<unknown>,
): Promise<Step> {
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const startedMs = performance.now();
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const beganMs = performance.now();
      // safe because the index is below the length
      await act(items[index] as Item, index).catch((error: unknown) => failures.push(String(error)));
      latenciesMs.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: openMax }, work));
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const seconds = (performance.now() - startedMs) / 1_000;
  const step = { name, requests: items.length, seconds, medianMs: at(0.5), p99Ms: at(0.99), failures };
  console.log(JSON.stringify({ ...step, failures: failures.slice(0, 3) }));
  return step;
}

const patch = (directory: Directory, path: string, operation: object) =>
  send(directory, 'PATCH', path, { Operations: [operation] });

async function send({ baseUrl, token }: Directory, method: string, path: string, body?: object) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/scim+json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/** `stop` returns the maximum total in MiB. */
export function watchMemory(pids: readonly number[]): {
  stop: () => Promise<{ before: number; most: number }>;
} {
  const read = () => pids.reduce((total, pid) => total + readResidentMiB(pid), 0);
  const before = read();
  const stopping = new AbortController();
  const watching = (async () => {
    let most = before;
    while (!stopping.signal.aborted) {
      most = Math.max(most, read());
      await pause(200, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return most;
  })();
  return {
    async stop() {
      stopping.abort();
      return { before, most: await watching };
    },
  };
}

function readResidentMiB(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1_024;
}
