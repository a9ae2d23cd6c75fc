// Prints the imports between the children of a folder: node scripts/run.mjs scripts/import-graph.ts
// server/src/gateway
import { execFileSync } from 'node:child_process';

interface Cruise {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[];
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly imports: string[];
}

const folder = (process.argv[2] ?? 'server/src/gateway').replace(/\/$/, '');
const depcruise = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', folder];
const output = execFileSync('depcruise', depcruise, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
const { modules }: Cruise = JSON.parse(output);

const isTest = (file: string) => /\.test\.tsx?$|\/(test|testing)\//.test(file);
const shorten = (file: string) => file.slice(folder.length + 1);
const childOf = (file: string) => shorten(file).split('/')[0] ?? '';

const files = modules.filter(({ source }) => source.startsWith(`${folder}/`) && !isTest(source));
const filesByChild = new Map<string, number>();
const arrows = new Map<string, Arrow>();
for (const { source, dependencies } of files) {
  const from = childOf(source);
  filesByChild.set(from, (filesByChild.get(from) ?? 0) + 1);
  for (const { resolved } of dependencies) {
    const to = childOf(resolved);
    if (!resolved.startsWith(`${folder}/`) || isTest(resolved) || from === to) continue;
    const arrow = arrows.getOrInsertComputed(`${from} ${to}`, () => ({ from, to, imports: [] }));
    arrow.imports.push(`${shorten(source)} -> ${shorten(resolved)}`);
  }
}

const order = orderChildren([...filesByChild.keys()].sort(), [...arrows.values()]);
const place = new Map(order.map((child, index) => [child, index]));
const isBack = ({ from, to }: Arrow) => (place.get(from) ?? 0) > (place.get(to) ?? 0);
const backArrows = [...arrows.values()].filter(isBack);

for (const child of order) {
  const out = [...arrows.values()].filter(({ from }) => from === child);
  const targets = out.map((arrow) => `${isBack(arrow) ? 'BACK TO ' : ''}${arrow.to} ${arrow.imports.length}`);
  console.log(`${child} (${filesByChild.get(child)}) -> ${targets.join(', ') || 'none'}`);
}
for (const arrow of backArrows)
  console.log(`\nback: ${arrow.from} -> ${arrow.to}\n  ${arrow.imports.join('\n  ')}`);
console.log(
  `\n${folder}: ${order.length} children, ${files.length} files, ${arrows.size} arrows of ${countImports(arrows.values())} imports; ` +
    `${backArrows.length} back-arrows of ${countImports(backArrows)} imports`,
);

function countImports(some: Iterable<Arrow>): number {
  return [...some].reduce((sum, { imports }) => sum + imports.length, 0);
}

/**
 * Orders children so that importers come first. Within a cycle, children with more imports than importers come first.
 */
function orderChildren(children: readonly string[], all: readonly Arrow[]): string[] {
  const [...left] = children;
  const ordered: string[] = [];
  while (left.length > 0) {
    const open = all.filter(({ from, to }) => left.includes(from) && left.includes(to));
    const weigh = (child: string) => {
      const into = countImports(open.filter(({ to }) => to === child));
      return into === 0
        ? Number.POSITIVE_INFINITY
        : countImports(open.filter(({ from }) => from === child)) - into;
    };
    const next = left.reduce((best, child) => (weigh(child) > weigh(best) ? child : best));
    ordered.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return ordered;
}
