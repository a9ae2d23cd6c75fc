import { runSluice } from './run-sluice.ts';

process.exit(await runSluice(process.argv.slice(2), process));
