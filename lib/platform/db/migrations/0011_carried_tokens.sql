-- Tokens that networks carry since: off until now because none did, not because an operator said so.
UPDATE "token_settings" SET "send" = true, "receive" = true
  WHERE "token" IN ('eth', 'trx', 'sol', 'bnb', 'ltc', 'doge', 'xrp', 'shib', 'twt', 'busd', 'comp');
