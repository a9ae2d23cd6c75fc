// Prepares the next release: node scripts/run.mjs scripts/prepare-release.ts 0.3.0
// Sets the version, freezes new migrations by their checksums, and names the section of CHANGELOG.md. Can be repeated
// until the release; frozen migrations must not change.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../server/src/db/migration-files.ts';

const root = join(import.meta.dirname, '..');
const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Specify the version: node scripts/run.mjs scripts/prepare-release.ts 0.3.0');
  process.exit(2);
}

edit('server/src/db/migrations/checksums', freezeMigrations);
const { workspaces, version: former } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  workspaces: string[];
  version: string;
};
for (const folder of ['.', ...workspaces]) edit(join(folder, 'package.json'), setVersion);
// The lock file lists the project's own packages twice: as folders and as packages.
edit('package-lock.json', (text) =>
  text
    .replace(/^ {4}"(?:|[a-z]+)": \{\n[\s\S]*?^ {4}\}/gm, setVersion)
    .replace(`"version": "${former}"`, `"version": "${version}"`),
);
edit('docs/openapi.json', setVersion);
edit('deploy/helm/sluice/Chart.yaml', (text) =>
  text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`),
);
edit('CHANGELOG.md', (text) => text.replace('## Not released yet', `## ${version}`));

function freezeMigrations(text: string): string {
  const frozen = new Map(text.split('\n').map((line) => [line.split(/\s+/)[1], line]));
  const lines = readMigrations().map(({ name, checksum }) => `${checksum}  ${name}`);
  for (const line of lines) {
    const before = frozen.get(line.split(/\s+/)[1]);
    if (before === undefined || before === line) continue;
    console.error(`This migration is released and was changed since: ${before}`);
    process.exit(1);
  }
  console.log(
    `${lines.length} migrations are frozen, ${lines.filter((line) => !text.includes(line)).length} of them new.`,
  );
  return `${lines.join('\n')}\n`;
}

function setVersion(text: string): string {
  return text
    .replace(`"version": "${former}"`, `"version": "${version}"`)
    .replaceAll(/("@sluice\/\w+": )"[^"]+"/g, `$1"${version}"`);
}

function edit(path: string, change: (text: string) => string): void {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
