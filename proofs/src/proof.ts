export interface ProofResult {
  title: string;
  /** Whether the claim held in every round. */
  holds: boolean;
  text: string;
}

/** Proof that requires a program which this machine lacks. Its page keeps the last result. */
export interface SkippedProof {
  skipped: string;
}

export type Proof = () => Promise<ProofResult | SkippedProof>;
