// Draws the imports between the rooms of a folder: node scripts/run.mjs scripts/rooms.ts server/src/gateway
// A room is a folder or file directly below it. Tests are excluded.
import { execFileSync } from 'node:child_process';

interface Cruise {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[];
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Each as `<file> -> <file>`. */
  readonly imports: string[];
}

const folder = (process.argv[2] ?? 'server/src/gateway').replace(/\/$/, '');
const depcruise = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', folder];
const output = execFileSync('depcruise', depcruise, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
const { modules }: Cruise = JSON.parse(output);

const isTest = (file: string) => /\.test\.tsx?$|\/(test|testing)\//.test(file);
const shorten = (file: string) => file.slice(folder.length + 1);
const roomOf = (file: string) => shorten(file).split('/')[0] ?? '';

const files = modules.filter(({ source }) => source.startsWith(`${folder}/`) && !isTest(source));
const filesByRoom = new Map<string, number>();
const arrows = new Map<string, Arrow>();
for (const { source, dependencies } of files) {
  const from = roomOf(source);
  filesByRoom.set(from, (filesByRoom.get(from) ?? 0) + 1);
  for (const { resolved } of dependencies) {
    const to = roomOf(resolved);
    if (!resolved.startsWith(`${folder}/`) || isTest(resolved) || from === to) continue;
    const arrow = arrows.getOrInsertComputed(`${from} ${to}`, () => ({ from, to, imports: [] }));
    arrow.imports.push(`${shorten(source)} -> ${shorten(resolved)}`);
  }
}

const order = orderRooms([...filesByRoom.keys()].sort(), [...arrows.values()]);
const place = new Map(order.map((room, index) => [room, index]));
const isBack = ({ from, to }: Arrow) => (place.get(from) ?? 0) > (place.get(to) ?? 0);
const backArrows = [...arrows.values()].filter(isBack);

for (const room of order) {
  const out = [...arrows.values()].filter(({ from }) => from === room);
  const targets = out.map((arrow) => `${isBack(arrow) ? 'BACK TO ' : ''}${arrow.to} ${arrow.imports.length}`);
  console.log(`${room} (${filesByRoom.get(room)}) -> ${targets.join(', ') || 'none'}`);
}
for (const arrow of backArrows)
  console.log(`\nback: ${arrow.from} -> ${arrow.to}\n  ${arrow.imports.join('\n  ')}`);
console.log(
  `\n${folder}: ${order.length} rooms, ${files.length} files, ${arrows.size} arrows of ${countImports(arrows.values())} imports; ` +
    `${backArrows.length} back-arrows of ${countImports(backArrows)} imports`,
);

function countImports(some: Iterable<Arrow>): number {
  return [...some].reduce((sum, { imports }) => sum + imports.length, 0);
}

/**
 * Orders rooms from the top, where nothing imports a room; within a circle, rooms with more imports than importers come
 * first.
 */
function orderRooms(rooms: readonly string[], all: readonly Arrow[]): string[] {
  const [...left] = rooms;
  const ordered: string[] = [];
  while (left.length > 0) {
    const open = all.filter(({ from, to }) => left.includes(from) && left.includes(to));
    const weigh = (room: string) => {
      const into = countImports(open.filter(({ to }) => to === room));
      return into === 0
        ? Number.POSITIVE_INFINITY
        : countImports(open.filter(({ from }) => from === room)) - into;
    };
    const next = left.reduce((best, room) => (weigh(room) > weigh(best) ? room : best));
    ordered.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return ordered;
}
