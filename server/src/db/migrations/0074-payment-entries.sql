-- What a payment has booked is summed up each time the payment provider reports a change of it.
CREATE INDEX ledger_entries_payment ON ledger_entries (payment_reference) WHERE payment_reference IS NOT NULL;
