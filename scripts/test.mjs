// `npm test`: installs what is missing, then static checks, the web build, and every test. Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, pinnedPath, root } from './install.mjs';

await ensureInstalled();
await ensureWebBuilt();

const steps = [['scripts/verify.mjs'], ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]];
for (const step of steps) {
  const { status } = spawnSync(pinnedNode(), step, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: pinnedPath() },
  });
  if (status !== 0) process.exit(status ?? 1);
}
