/** What a proof has found. */
export interface ProofResult {
  /** What is claimed, as the heading of its section. */
  title: string;
  /** Whether the claim held in every round. */
  holds: boolean;
  /** Markdown: what was done, and the figures. */
  text: string;
}

export type Proof = () => Promise<ProofResult>;
