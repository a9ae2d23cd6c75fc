/** Location of a row's texts in object storage. */
export interface BodyPlace {
  /** UUID of the object. */
  readonly object: string;
  readonly offset: number;
  readonly length: number;
  /** Whether the row contains only the beginning of the prompt or the response. */
  readonly isCut: boolean;
}
