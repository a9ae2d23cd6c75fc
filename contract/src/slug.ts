export const slugMax = 60;

/** Maximum length of a slug before a suffix makes it unique. */
const stemMax = 50;

/**
 * Derives a slug from a name: lowercase Latin letters, digits and single dashes, such as `acme-gmbh`. Empty if the name
 * has no Latin letter.
 */
export function deriveSlug(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const slug = letters
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, stemMax)
    .replace(/^-+|-+$/g, '');
  return /[a-z]/.test(slug) ? slug : '';
}
