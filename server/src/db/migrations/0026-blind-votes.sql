-- Whether the answers are judged before it is told which model gave them.
ALTER TABLE llm_comparisons ADD COLUMN is_blind boolean NOT NULL DEFAULT false;

ALTER TABLE llm_comparison_results ADD UNIQUE (comparison_id, id);

-- What a person says of the answers of a blind comparison, once.
CREATE TABLE llm_comparison_votes (
  tenant_id integer NOT NULL REFERENCES tenants,
  comparison_id uuid NOT NULL,
  user_id integer NOT NULL,
  -- best: one answer is better than the others; skipped: the person wants to see the models, and judges nothing.
  verdict text NOT NULL CHECK (verdict IN ('best', 'tie', 'all_bad', 'skipped')),
  result_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (comparison_id, user_id),
  CHECK ((verdict = 'best') = (result_id IS NOT NULL)),
  FOREIGN KEY (tenant_id, comparison_id) REFERENCES llm_comparisons (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (comparison_id, result_id) REFERENCES llm_comparison_results (comparison_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX llm_comparison_votes_tenant ON llm_comparison_votes (tenant_id, comparison_id);

ALTER TABLE llm_comparison_votes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON llm_comparison_votes TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT ON llm_comparison_votes TO sluice_tenant;
