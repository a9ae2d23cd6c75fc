export interface Lock {
  id: number;
  name: string;
  keeper: string;
  depth: number | null;
  note: string;
}

const keepers = ['Aiko Tanaka', 'Jonas Weber', 'Lena Fischer', 'Priya Nair', 'Samir Haddad'];

/** Some notes look like spreadsheet formulas. */
export function makeLocks(count: number, firstId = 1): readonly Lock[] {
  return Array.from({ length: count }, (_, index) => {
    const id = firstId + index;
    return {
      id,
      name: `Lock ${id}`,
      keeper: keepers[id % keepers.length] ?? '',
      depth: id % 10 === 0 ? null : (id * 7919) % 997,
      note: id % 4 === 0 ? `=1+${id}` : `Gate "${id}", open`,
    };
  });
}
