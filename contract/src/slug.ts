export const slugMax = 60;

/** The part of a slug before what makes it unique. */
const stemMax = 50;

/**
 * What a name is called in addresses: small Latin letters, digits and single dashes, such as `acme-gmbh`. Empty where a
 * name has no such letter.
 */
export function deriveSlug(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const slug = letters
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, stemMax)
    .replace(/^-+|-+$/g, '');
  return /[a-z]/.test(slug) ? slug : '';
}
