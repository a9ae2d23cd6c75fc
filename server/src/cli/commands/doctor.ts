import type { Config } from '#config/config.ts';
import type { Command } from '../command.ts';
import { type Check, fail } from '../doctor/check.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkHost } from '../doctor/check-host.ts';
import { checkReplica } from '../doctor/check-replica.ts';
import { openDatabase, openKeyring } from '../operator.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Checks the installation and explains how to fix each problem',
  details:
    'The exit code is 1 if a check fails, and 0 if there are only warnings. The command changes nothing.',
  async run({ config }) {
    const checks = [...(await checkHost(config)), ...(await examineDatabase(config))];
    const failed = checks.filter(({ state }) => state === 'fail').length;
    const verdict = failed === 0 ? 'No check failed.' : `${failed} of ${checks.length} checks failed.`;
    return {
      json: { is_healthy: failed === 0, checks },
      text: [...checks.map(formatCheck), verdict].join('\n'),
      exitCode: failed === 0 ? 0 : 1,
    };
  },
};

async function examineDatabase(config: Config): Promise<Check[]> {
  await using running = new AsyncDisposableStack();
  try {
    const address = await openDatabase(config, running);
    const checks = await checkDatabase(address, (database) => openKeyring(config, database));
    return config.replica ? [...checks, await checkReplica(config.replica, address)] : checks;
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    return [fail('database', finding, 'See docs/OPERATING.md, or start Sluice and read its log.')];
  }
}

function formatCheck({ name, state, finding, fix }: Check): string {
  const line = `${state.padEnd(4)}  ${name.padEnd(14)}  ${finding}`;
  return fix ? `${line}\n      ${' '.repeat(14)}  ${fix}` : line;
}
