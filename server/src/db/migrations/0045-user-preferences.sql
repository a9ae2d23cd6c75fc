-- How a person wants to see the console, in whatever browser. Nobody has a row before they have chosen.
CREATE TABLE user_preferences (
  user_id integer PRIMARY KEY,
  tenant_id integer NOT NULL,
  theme text NOT NULL CHECK (theme IN ('light', 'dark', 'system')),
  density text NOT NULL CHECK (density IN ('regular', 'compact', 'comfortable')),
  -- NULL is the browser's.
  time_zone text,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE user_preferences ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON user_preferences TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE ON user_preferences TO sluice_tenant;
