import type { FirstSetup } from '#console/first-run/run-first-setup.ts';

export interface Welcome {
  readonly version: string;
  readonly address: string;
  /** `null` on every start except the first. */
  readonly firstSetup: FirstSetup | null;
  /** Whether the operator chose the password, which is then not printed. */
  readonly isPasswordGiven: boolean;
  readonly warnings: readonly string[];
}

/** Returns the text printed at the end of a start; only the first start prints secrets. */
export function formatWelcome({ version, address, firstSetup, isPasswordGiven, warnings }: Welcome): string {
  const lines = [`Sluice ${version} is ready.`, '', `  Console   ${address}/admin`];
  if (firstSetup) {
    lines.push(
      `  E-mail    ${firstSetup.email}`,
      `  Password  ${isPasswordGiven ? 'the one of SLUICE_ADMIN_PASSWORD' : `${firstSetup.password}   (shown once)`}`,
      '',
      '  A first request, through the gate to the built-in sandbox provider:',
      '',
      `  curl ${address}/api/v1/chat/completions \\`,
      `    -H "Authorization: Bearer ${firstSetup.apiKey}" \\`,
      '    -H "Content-Type: application/json" \\',
      `    -d '{"model": "sandbox-normal", "messages": [{"role": "user", "content": "Say hello"}]}'`,
      '',
      '  This key expires in 24 hours, or as soon as another key is used. Make lasting ones in the console, under Users.',
    );
  }
  for (const warning of warnings) lines.push('', `  Warning: ${warning}`);
  return `${lines.join('\n')}\n`;
}
