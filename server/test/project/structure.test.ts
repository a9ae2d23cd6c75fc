import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../scripts/structure.ts');
const lines = (count: number) => '\n'.repeat(count - 1);
const body = (count: number) => `() => {${lines(count)}}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-structure-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true }));

const check = (files: Readonly<Record<string, string>>) => {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return { status, problems: stderr.split('\n').filter((line) => line !== '') };
};

type Violation = readonly [file: string, content: string, problem: string];

const violations: readonly Violation[] = [
  ['server/src/long.ts', lines(401), 'server/src/long.ts has 401 lines, the limit is 400'],
  ['web/src/long.tsx', lines(301), 'web/src/long.tsx has 301 lines, the limit is 300'],
  ...['NativeSelect', '<select', 'HTMLSelectElement'].map(
    (list): Violation => [
      'web/src/choice.tsx',
      `const list = (${list} />);`,
      `web/src/choice.tsx has "${list}": the list of the console is SelectField`,
    ],
  ),
  [
    'server/src/cut.ts',
    `\nconst cut = ${body(51)};`,
    'server/src/cut.ts:2: cut has 51 lines, the limit is 50',
  ],
  [
    'web/src/cut.tsx',
    `export function Cut() {${lines(51)}}`,
    'web/src/cut.tsx:1: Cut has 51 lines, the limit is 50',
  ],
  [
    'server/src/cut.test.ts',
    `describe('cut', () => { const cut = ${body(51)}; });`,
    'server/src/cut.test.ts:1: cut has 51 lines, the limit is 50',
  ],
  [
    'server/src/cut.test.ts',
    "import { setTimeout as pause } from 'node:timers/promises';\n\nawait pause(5);",
    'server/src/cut.test.ts:3 sleeps for a fixed time: wait for the event instead',
  ],
  [
    'server/test/cut.ts',
    'await new Promise((resolve) => setTimeout(resolve, 5));',
    'server/test/cut.ts:1 sleeps for a fixed time: wait for the event instead',
  ],
  [
    'e2e/cut.test.ts',
    'await page.waitForTimeout(5);',
    'e2e/cut.test.ts:1 sleeps for a fixed time: wait for the event instead',
  ],
  ...['mock', 'doMock', 'resetModules'].map(
    (call): Violation => [
      'server/src/cut.test.ts',
      `vi.${call}('node:fs');`,
      `server/src/cut.test.ts calls vi.${call}, but the files of a process share modules: spy on an object`,
    ],
  ),
  ['server/src/utils.ts', '', 'server/src/utils.ts: name it after what it does'],
  [
    'server/src/limits.ts',
    '// Reads the limits anew.',
    'server/src/limits.ts:1 contains "anew": again (CONTRIBUTING.md, How we write English)',
  ],
  ['server/src/helpers/cut.ts', '', 'server/src/helpers/cut.ts: name it after what it does'],
  ['web/src/types.ts', '', 'web/src/types.ts: name it after what it does'],
  [
    'web/src/pages/admin/locks.tsx',
    `${lines(31)}export const locks = 1;`,
    'web/src/pages/admin/locks.tsx has 31 lines, the limit is 30: the screen belongs to a feature',
  ],
  [
    'web/src/features/locks/lock-drawer.tsx',
    '',
    'web/src/features/locks/lock-drawer.tsx: the folder already contains the noun',
  ],
  [
    'web/src/features/locks/locks.module.css',
    '',
    'web/src/features/locks/locks.module.css: the folder already contains the noun',
  ],
  [
    'docs/GUIDE.md',
    'See `server/src/gone.ts`.',
    'docs/GUIDE.md cites server/src/gone.ts, which does not exist',
  ],
  ['docs/GUIDE.md', 'See `src/gone.ts`.', 'docs/GUIDE.md cites src/gone.ts, which does not exist'],
  ['docs/GUIDE.md', 'See `gone/`.', 'docs/GUIDE.md cites gone/, which does not exist'],
  ['server/src/cut.ts', 'export const CUT_MAX = 1;', 'server/src/cut.ts: CUT_MAX must be in camel case'],
  [
    'server/src/jobs/cut.ts',
    "export const cut = () => pool.query('SELECT 1');",
    'server/src/jobs/cut.ts queries the database with raw SQL: see server/src/db/README.md',
  ],
  [
    'server/src/cut.ts',
    '// Streams end so (protocol note G5).',
    'server/src/cut.ts cites "protocol note G5", which is not in the repository',
  ],
  [
    'web/src/cut.tsx',
    '/** As it must be (spec 1, section 8). */',
    'web/src/cut.tsx cites "spec 1, section 8", which is not in the repository',
  ],
  [
    'docs/GUIDE.md',
    'For why, see reliability K2.',
    'docs/GUIDE.md cites "reliability K2", which is not in the repository',
  ],
  ['server/src/cut.ts', '// PLANS.md says why.', 'server/src/cut.ts cites PLANS.md, which does not exist'],
  [
    'server/src/protocols/cut.test.ts',
    "it('Z7: is cut', () => {});",
    'server/src/protocols/cut.test.ts cites Z7, which docs/INVARIANTS.md does not list',
  ],
];

/**
 * Violations grouped into rounds with at most one violation per file. The check loads a compiler, so it runs once per
 * round.
 */
const rounds = Map.groupBy(violations, (violation) =>
  violations.filter(([file]) => file === violation[0]).indexOf(violation),
)
  .values()
  .map((planted) => [planted.map(([file]) => file).join(', '), planted] as const)
  .toArray();

describe('structure check', () => {
  it('the structure check accepts code that follows the rules', () => {
    const kept = {
      'server/src/long.ts': lines(400),
      'web/src/long.tsx': lines(300),
      'web/src/long.test.ts': lines(400),
      'server/src/functions.ts': `const cut = ${body(50)};`,
      'server/src/functions.test.ts': `describe.each([1])('cuts', ${body(60)}); it('cuts', ${body(51)});`,
      'web/src/routes.gen.ts': lines(900),
      'web/src/pages/admin/locks.tsx': lines(30),
      'web/src/features/locks/screen.tsx': '<ListView />',
      'docs/GUIDE.md': 'See `server/src/long.ts`, and `@other/things.ts` that is not ours.',
      'server/src/cut.ts': '// docs/GUIDE.md and GUIDE.md say why.',
      'docs/SHORT.md':
        'See `long.ts`, `src/long.ts` and `locks/`, of which `*.ts` and `/long.ts` are no paths.',
      'docs/ARCHITECTURE.md': '`server/src/protocols` and `web/src` are folders.',
      'docs/INVARIANTS.md': '| A1 | it is cut |',
      'server/src/protocols/cut.test.ts': "it('A1: is cut', () => {});",
      'server/test/poll.ts':
        "import { setTimeout as pause } from 'node:timers/promises';\nwhile (!isCut()) await pause(5);",
      'server/test/kill.ts':
        "import { setTimeout as pause } from 'node:timers/promises';\n// Intentional delay: the connection is cut after this time.\nawait pause(5);",
      'server/src/pace.ts': "import { setTimeout as pause } from 'node:timers/promises';\nawait pause(5);",
    };
    expect(check(kept)).toEqual({ status: 0, problems: [] });
  });

  it.each(rounds)('the structure check reports each violation: %s', (_files, planted) => {
    const { status, problems } = check(Object.fromEntries(planted.map(([file, content]) => [file, content])));
    expect(status).toBe(1);
    expect(problems.sort()).toEqual(planted.map(([, , problem]) => problem).sort());
  });

  it('the structure check rejects a file directly in server/src', () => {
    const { problems } = check({ 'scripts/small-files.ts': '', 'server/src/planted.ts': '' });
    expect(problems).toContain('server/src/planted.ts is in no folder: server/src holds folders only');
  });

  it('the structure check requires each folder in the architecture document', () => {
    const folders = {
      'docs/ARCHITECTURE.md': '`server/src/cuts` is a folder.',
      'server/src/cuts/cut.ts': '',
      'server/src/main.ts': '',
      'server/src/holes/hole.ts': '',
      'bench/hole.ts': '',
    };
    expect(check(folders).problems).toEqual([
      'docs/ARCHITECTURE.md does not name bench',
      'docs/ARCHITECTURE.md does not name server/src/holes',
    ]);
  });
});
