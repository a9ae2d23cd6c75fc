-- Tables of One API 0.6 as its GORM models create them in PostgreSQL; columns that an import does not read are left out.
CREATE TABLE channels (id bigserial PRIMARY KEY, type bigint DEFAULT 0, key text, status bigint DEFAULT 1, name text, weight bigint DEFAULT 0,
  base_url text DEFAULT '', models text, "group" varchar(32) DEFAULT 'default', used_quota bigint DEFAULT 0, model_mapping varchar(1024) DEFAULT '',
  priority bigint DEFAULT 0, config text);
CREATE TABLE tokens (id bigserial PRIMARY KEY, user_id bigint, key char(48), status bigint DEFAULT 1, name text, created_time bigint,
  accessed_time bigint, expired_time bigint DEFAULT -1, remain_quota bigint DEFAULT 0, unlimited_quota boolean DEFAULT false,
  used_quota bigint DEFAULT 0, models text, subnet text DEFAULT '');
CREATE TABLE users (id bigserial PRIMARY KEY, username text, password text NOT NULL, display_name text, role int DEFAULT 1, status int DEFAULT 1,
  email text, access_token char(32), quota bigint DEFAULT 0, used_quota bigint DEFAULT 0, request_count int DEFAULT 0,
  "group" varchar(32) DEFAULT 'default');
CREATE TABLE options (key text PRIMARY KEY, value text);
INSERT INTO options VALUES ('QuotaPerUnit', '500000');
INSERT INTO users (id, username, password, display_name, role, status, email, quota, used_quota, "group") VALUES
  (1, 'root', 'x', 'Root User', 100, 1, '', 0, 0, 'default'),
  (2, 'cora', 'x', 'Cora', 1, 1, 'cora@oneapi.test', 4500000, 500000, 'default'),
  (3, 'bot', 'x', 'Bot', 1, 1, '', 1000000, 250000, 'vip'),
  (4, 'gone', 'x', 'Gone', 1, 2, 'gone@oneapi.test', 0, 0, 'default');
INSERT INTO channels (id, type, key, status, name, base_url, models, "group", model_mapping, priority) VALUES
  (1, 8, 'provider-key-one', 1, 'Main', 'http://127.0.0.1:9101', 'large,small', 'default,vip', '{"large": "llama-3-70b"}', 0),
  (2, 8, 'provider-key-two', 1, 'First', 'http://127.0.0.1:9102', 'large', 'vip', '', 10),
  (3, 36, 'provider-key-three', 1, 'DeepSeek', '', 'deepseek-chat', 'default', '', 0),
  (4, 1, 'provider-key-four', 2, 'Off', '', 'gpt-4o', 'default', '', 0),
  (5, 15, 'a|b', 1, 'Baidu', '', 'ernie', 'default', '', 0);
INSERT INTO tokens (id, user_id, key, status, name, expired_time, remain_quota, unlimited_quota, used_quota, models, subnet) VALUES
  (1, 2, 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk1', 1, 'laptop', -1, 900000, false, 100000, 'large', '127.0.0.0/8'),
  (2, 2, 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk2', 1, 'free', -1, 0, true, 700000, NULL, ''),
  (3, 3, 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk3', 1, 'bot', 4070908800, 0, true, 0, NULL, ''),
  (4, 3, 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk4', 2, 'disabled', -1, 0, true, 0, NULL, ''),
  (5, 4, 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk5', 1, 'of a disabled user', -1, 0, true, 0, NULL, '');
