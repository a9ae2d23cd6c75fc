-- A statement that waits for the lock of an allowance reads the locked row anew, but its subqueries keep the snapshot of
-- its start: it would count the holders of before the wait. The queries of a volatile function see what is committed.
CREATE FUNCTION count_other_holders(allowance bigint, asking_node uuid) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT count(*) FROM leases o JOIN nodes n ON n.id = o.node_id
    WHERE o.allowance_id = allowance AND o.node_id <> asking_node AND o.granted > o.returned + o.spent
      AND n.expires_at > now());
END
$$;
