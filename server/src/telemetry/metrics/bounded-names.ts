/** Label values that come from requests: the first ones are kept, all further ones become `other`. */
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
