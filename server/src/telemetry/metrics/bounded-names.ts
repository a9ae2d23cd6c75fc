/** Names that come from requests, as labels: the first ones keep theirs, all further ones are `other`. */
export class BoundedNames {
  readonly #names = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  label(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#max) return 'other';
    this.#names.add(name);
    return name;
  }
}
