/** Result of a proof. */
export interface ProofResult {
  /** The claim, as the heading of its section. */
  title: string;
  /** Whether the claim held in every round. */
  holds: boolean;
  /** Markdown with the procedure and the figures. */
  text: string;
}

export type Proof = () => Promise<ProofResult>;
