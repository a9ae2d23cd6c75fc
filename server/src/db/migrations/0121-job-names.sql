-- Jobs have plainer names; their schedule and the result of their last run stay.
DO $$
DECLARE
  job record;
BEGIN
  FOR job IN SELECT * FROM (VALUES
    ('erase-former-provider-keys', 'delete-previous-provider-keys'),
    ('forget-idempotency-keys', 'delete-expired-idempotency-keys'),
    ('forget-old-rows', 'delete-old-rows'),
    ('forget-request-logs', 'delete-expired-request-logs'),
    ('forget-sessions', 'delete-expired-sessions'),
    ('forget-usage', 'delete-expired-usage'),
    ('forget-windows', 'delete-ended-windows'),
    ('tell-of-provider-incidents', 'update-incident-banners'),
    ('warn-of-expiring-keys', 'notify-expiring-keys'),
    ('warn-of-low-credits', 'notify-low-credits'),
    ('warn-of-subscriptions', 'notify-subscriptions')
  ) renamed (old_name, new_name)
  LOOP
    UPDATE job_schedules SET name = job.new_name WHERE name = job.old_name;
    UPDATE job_runs SET name = job.new_name WHERE name = job.old_name;
  END LOOP;
END $$;
