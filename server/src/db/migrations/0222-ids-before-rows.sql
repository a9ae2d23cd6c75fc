-- The encryption of a secret is bound to the id of its row, which must therefore be known before the row is inserted.
GRANT USAGE ON SEQUENCE llm_providers_id_seq, identity_providers_id_seq, totp_authenticators_id_seq TO sluice_tenant;
