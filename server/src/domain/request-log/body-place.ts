export interface BodyPlace {
  readonly object: string;
  readonly offset: number;
  readonly length: number;
  /** Whether the row contains only the beginning of the prompt or response. */
  readonly isCut: boolean;
}
