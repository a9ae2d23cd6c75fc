/** Domain reserved by RFC 2606, so that no mail server exists for it. */
const domain = 'service-account.invalid';

/**
 * The address is listed instead of an email address. The random bytes make the address unique and unguessable, so
 * that it reveals nothing about other tenants.
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

/** Whether the address belongs to a service account, which receives no email. */
export function isServiceAddress(address: string): boolean {
  return address.toLowerCase().endsWith(`@${domain}`);
}
