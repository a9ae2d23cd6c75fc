import { deflateRawSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';

interface Group {
  readonly modules: readonly string[];
  /** Approximate compressed size in bytes. */
  readonly size: number;
  /** Pages and lazily loaded parts that need the group. */
  users: ReadonlySet<string>;
  readonly needs: Set<Group>;
}

/** Maximum number of files with shared code, in addition to the file of each page. */
const sharedFilesMax = 90;
/** Maximum number of shared files in the first load of a page. */
const pageSharedFilesMax = 6;
/** Target number of shared files for a link that opens a drawer or dialog of a page. */
const openedSharedFilesMax = 7;
/** Maximum growth of a page's first load in compressed bytes, allowed in order to reach `openedSharedFilesMax`. */
const growthMax = 7 * 1024;
/** Maximum size of shared code in the first load of a page, in compressed bytes. The estimate is about 3% too high. */
const pageSharedMax = 256 * 1024;
const isStartPage = (entry: string) => entry.endsWith('.html');
/** Whether an entry is the layout of all pages for signed-in users. */
const isFrame = (entry: string) => entry.endsWith('/src/pages/signed-in.tsx');
const isPage = (entry: string) => /\/src\/pages\/(admin|portal|public)\/.*\.tsx$/.test(entry);
const isDrawer = (entry: string) => entry.endsWith('/drawer.tsx');
const isOpenedByLink = (entry: string) =>
  isDrawer(entry) || /\/(overlays|budgets\/own|usage-choices)\.tsx?$/.test(entry);
const isFramedPage = (entry: string) => isPage(entry) && !entry.includes('/src/pages/public/');
/** Whether a module belongs to the entry file only. */
const isStart = (moduleId: string) => /\/web\/src\/(main\.tsx|app\/)/.test(moduleId);
/** Weight of an unneeded byte. A byte in a lazily loaded part costs less than a byte in the first load of a page. */
const weightOf = (entry: string) => (isPage(entry) ? 1 : isDrawer(entry) ? 0.6 : 0.2);

/**
 * Groups shared code into few files. By default, the bundler creates one file for each set of pages that share code,
 * hundreds of small files in total. From a first build, the function repeatedly merges the two files whose union adds
 * the fewest unneeded bytes, until few files are left.
 */
export async function findChunkGroups(config: InlineConfig): Promise<Rolldown.CodeSplittingGroup[]> {
  const chunks = await buildOnce(config);
  const groups = listShared(chunks);
  const loads = listLoads(chunks);
  const pages = loads.filter(({ entries: [, part] }) => part === undefined);
  mergeUntilFew(groups, pages, Number.POSITIVE_INFINITY);
  mergeUntilFew(groups, loads, growthMax);
  return inOrderOfNeeds(groups).map(({ modules }, index) => {
    const members = new Set(modules);
    return {
      name: 'shared',
      test: (id: string) => members.has(id),
      priority: groups.size - index,
      includeDependenciesRecursively: false,
    };
  });
}

/**
 * Merges groups until the total number and the number in each load are small enough, or until every merge would add
 * too many bytes.
 */
function mergeUntilFew(groups: Set<Group>, loads: readonly Load[], growthMaxOfPage: number): void {
  const growth = new Map<string, number>();
  const isTooMuch = (pair: Pair) =>
    [...findUnneeded(pair)].some(
      ([page, size]) =>
        isPage(page) &&
        (size + (growth.get(page) ?? 0) > growthMaxOfPage || size + sharedSize(groups, page) > pageSharedMax),
    );
  for (;;) {
    const crowded = loads.filter((load) => countFiles(groups, load) > load.sharedFilesMax);
    const isWhole = groups.size > sharedFilesMax;
    if (!isWhole && crowded.length === 0) return;
    const pair = findCheapestPair([...groups], isWhole ? null : crowded, isTooMuch);
    if (!pair) return;
    for (const [user, size] of findUnneeded(pair)) growth.set(user, size + (growth.get(user) ?? 0));
    unite(groups, pair);
  }
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

async function buildOnce(config: InlineConfig): Promise<Chunks> {
  const options = { ...config.build, write: false, reportCompressedSize: false };
  const built = await build({ ...config, configFile: false, logLevel: 'error', build: options });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return new Map(outputs.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
}

/** Returns a group for each file that more than one page or part uses. */
function listShared(chunks: Chunks): Set<Group> {
  const users = listUsers(chunks);
  const groups = new Map<string, Group>();
  const compressedSize = createEstimate([...chunks.values()].map(({ code }) => code));
  for (const { fileName, moduleIds, facadeModuleId, code } of chunks.values()) {
    const usersOfFile = users.get(fileName) ?? new Set();
    if (usersOfFile.size < 2) continue;
    const modules = moduleIds.filter((id) => id !== facadeModuleId && !isStart(id));
    groups.set(fileName, { modules, size: compressedSize(code), users: usersOfFile, needs: new Set() });
  }
  for (const [fileName, { needs }] of groups) {
    for (const needed of chunks.get(fileName)?.imports ?? []) {
      const need = groups.get(needed);
      if (need) needs.add(need);
    }
  }
  return new Set(groups.values());
}

/**
 * Returns a function that estimates the compressed size of code within a larger file. Small files compress worse on
 * their own.
 */
function createEstimate(codes: readonly string[]): (code: string) => number {
  const dictionary = Buffer.from(codes.map((code) => code.slice(0, 1024)).join(''));
  return (code) => deflateRawSync(code, { dictionary }).length;
}

/** Files loaded for a page, alone or with its dialogs and drawer. */
interface Load {
  readonly entries: readonly string[];
  readonly sharedFilesMax: number;
}

function listLoads(chunks: Chunks): Load[] {
  const users = listUsers(chunks);
  const loads: Load[] = [];
  for (const { facadeModuleId: page } of chunks.values()) {
    if (page === null || !isPage(page)) continue;
    loads.push({ entries: [page], sharedFilesMax: pageSharedFilesMax });
    const loaded = [...chunks.values()].filter(({ fileName }) => users.get(fileName)?.has(page));
    const later = new Set(loaded.flatMap(({ dynamicImports }) => dynamicImports));
    for (const fileName of later) {
      const part = chunks.get(fileName)?.facadeModuleId;
      if (part && isOpenedByLink(part))
        loads.push({ entries: [page, part], sharedFilesMax: openedSharedFilesMax });
    }
  }
  return loads;
}

const isLoadedBy = ({ users }: Group, { entries }: Load) => entries.some((entry) => users.has(entry));

const countFiles = (groups: ReadonlySet<Group>, load: Load) =>
  [...groups].filter((group) => isLoadedBy(group, load)).length;

const sharedSize = (groups: ReadonlySet<Group>, page: string) =>
  [...groups].reduce((sum, { users, size }) => sum + (users.has(page) ? size : 0), 0);

function listUsers(chunks: Chunks): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  const visit = (fileName: string, entry: string) => {
    const entries = users.getOrInsertComputed(fileName, () => new Set());
    if (entries.has(entry)) return;
    entries.add(entry);
    for (const needed of chunks.get(fileName)?.imports ?? []) visit(needed, entry);
  };
  for (const { fileName, facadeModuleId, isEntry, isDynamicEntry } of chunks.values()) {
    if ((isEntry || isDynamicEntry) && facadeModuleId) visit(fileName, facadeModuleId);
  }
  addPages(users);
  return users;
}

/** Adds pages as users of the code in index.html and in their layout, which pages always load. */
function addPages(usersByFile: ReadonlyMap<string, Set<string>>): void {
  const entries = [...new Set([...usersByFile.values()].flatMap((users) => [...users]))];
  for (const users of usersByFile.values()) {
    const isLoadedBy = [...users].some(isStartPage)
      ? () => true
      : [...users].some(isFrame)
        ? isFramedPage
        : null;
    if (isLoadedBy) for (const entry of entries.filter(isLoadedBy)) users.add(entry);
  }
}

type Pair = readonly [Group, Group];

/**
 * Returns the pair with the cheapest merge that creates no circular dependency with a third group. If `loads` is
 * given, the cost is divided by the number of loads that need one file less.
 */
function findCheapestPair(
  groups: readonly Group[],
  loads: readonly Load[] | null,
  isTooMuch: (pair: Pair) => boolean,
): Pair | undefined {
  const gainOf = (one: Group, other: Group) =>
    loads?.filter((load) => isLoadedBy(one, load) && isLoadedBy(other, load)).length ?? 1;
  const pairs = groups.flatMap((one, index) =>
    groups.slice(index + 1).flatMap((other) => {
      const gain = gainOf(one, other);
      return gain === 0
        ? []
        : [{ pair: [one, other] as const, gain, leastCost: costOfTwo(one, other) / gain }];
    }),
  );
  let best: { pair: Pair; cost: number } | undefined;
  for (const { pair, gain, leastCost } of pairs.sort((one, other) => one.leastCost - other.leastCost)) {
    if (best && leastCost >= best.cost) break;
    if (isBetween(...pair) || isTooMuch(pair)) continue;
    const cost = costOf(pair) / gain;
    if (!best || cost < best.cost) best = { pair, cost };
  }
  return best?.pair;
}

const costOfTwo = (one: Group, other: Group) =>
  one.size * weigh(other.users, one.users) + other.size * weigh(one.users, other.users);

/** Returns the weighted number of unneeded bytes that a merge of both groups causes, including their dependencies. */
function costOf([one, other]: Pair): number {
  const users = one.users.union(other.users);
  return [...listNeeds([one, other])].reduce((sum, group) => sum + group.size * weigh(users, group.users), 0);
}

function findUnneeded([one, other]: Pair): Map<string, number> {
  const needed = [...listNeeds([one, other])];
  const sizes = [...one.users.union(other.users)].map((user): [string, number] => [
    user,
    needed.reduce((sum, { users, size }) => sum + (users.has(user) ? 0 : size), 0),
  ]);
  return new Map(sizes.filter(([, size]) => size > 0));
}

/** Returns the total weight of the users that are not in `others`. */
function weigh(users: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let sum = 0;
  for (const user of users) if (!others.has(user)) sum += weightOf(user);
  return sum;
}

function listNeeds(groups: readonly Group[], found = new Set<Group>()): Set<Group> {
  for (const group of groups) {
    if (found.has(group)) continue;
    found.add(group);
    listNeeds([...group.needs], found);
  }
  return found;
}

function isBetween(one: Group, other: Group): boolean {
  const leads = (from: Group, to: Group) =>
    [...from.needs].some((next) => next !== to && listNeeds([next]).has(to));
  return leads(one, other) || leads(other, one);
}

function unite(groups: Set<Group>, pair: Pair): void {
  const [one, other] = pair;
  const users = one.users.union(other.users);
  for (const group of listNeeds(pair)) group.users = group.users.union(users);
  const united: Group = {
    modules: [...one.modules, ...other.modules],
    size: one.size + other.size,
    users,
    needs: one.needs.union(other.needs),
  };
  for (const group of pair) {
    groups.delete(group);
    united.needs.delete(group);
  }
  for (const { needs } of groups)
    if (pair.filter((group) => needs.delete(group)).length > 0) needs.add(united);
  groups.add(united);
}

function inOrderOfNeeds(groups: ReadonlySet<Group>): Group[] {
  const ordered = new Set<Group>();
  const add = (group: Group) => {
    for (const need of group.needs) add(need);
    ordered.add(group);
  };
  for (const group of groups) add(group);
  return [...ordered];
}
