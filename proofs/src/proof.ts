/** Result of a proof. */
export interface ProofResult {
  /** The claim, as the heading of its section. */
  title: string;
  /** Whether the claim held in every round. */
  holds: boolean;
  /** Markdown with the procedure and the figures. */
  text: string;
}

/** A proof that needs a program that this machine lacks. Its page keeps the last result. */
export interface SkippedProof {
  /** Why it did not run. */
  skipped: string;
}

export type Proof = () => Promise<ProofResult | SkippedProof>;
