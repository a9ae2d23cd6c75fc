import { build, version } from '../../version.ts';
import type { Command } from '../command.ts';

export const printVersion: Command = {
  name: 'version',
  isLocal: true,
  summary: 'Says which version this is; also --version',
  async run() {
    return { json: { version, build }, text: build ? `sluice ${version} (${build})` : `sluice ${version}` };
  },
};
