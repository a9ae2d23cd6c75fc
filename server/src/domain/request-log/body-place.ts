/** Where the texts of a row are in object storage. */
export interface BodyPlace {
  /** UUID of the object. */
  readonly object: string;
  readonly offset: number;
  readonly length: number;
  /** Whether the row has only the beginning of the prompt or the response. */
  readonly isCut: boolean;
}
