/** Reserved by RFC 2606: no mail server exists for it. */
const domain = 'service-account.invalid';

/**
 * Returns the address of a service account, which lists show in place of an email address. The random bytes make it
 * unique and unguessable, so that it reveals nothing about other tenants.
 */
export function formatServiceAddress(name: string, random: Uint8Array): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${words || 'account'}.${Buffer.from(random).toString('hex')}@${domain}`;
}

/** Whether an address belongs to a service account, which receives no mail. */
export function isServiceAddress(address: string): boolean {
  return address.toLowerCase().endsWith(`@${domain}`);
}
