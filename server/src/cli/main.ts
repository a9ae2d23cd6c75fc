import { parseArgs } from 'node:util';
import { readConfig } from '#config/read-config.ts';
import { readNewPassword } from './read-new-password.ts';
import { setPassword } from './set-password.ts';

const usage = `npx sluice users set-password EMAIL

Sets the password of a person, for whoever cannot sign in any more. The password is the first line of standard
input; at a terminal one is made and printed. All sessions of the person end. Run it with the variables of the server
(SLUICE_DATA_DIR or DATABASE_URL); Sluice may run meanwhile.
`;

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [noun, verb, email, ...others] = positionals;
  if (noun !== 'users' || verb !== 'set-password' || email === undefined || others.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  const { password, isMade } = await readNewPassword(process.stdin);
  await setPassword(readConfig(), email, password);
  process.stdout.write(`The password of ${email} is set, and all sessions have ended.\n`);
  if (isMade) process.stdout.write(`Password   ${password}\n`);
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
