import { ConsoleError } from '#errors/console-error.ts';

/** @throws ConsoleError 503 if the installation accepts no cards. */
export function requireProvider<Provider>(provider: Provider | null): Provider {
  if (!provider) throw new ConsoleError(503, 'payments are not set up');
  return provider;
}
