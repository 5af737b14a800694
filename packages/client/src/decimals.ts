// Generated from the OpenAPI document. Do not edit. Run `npm run client` to update it.
import type { DecimalPlaces } from "./exact-json.ts";

export const DECIMALS: Readonly<Record<string, DecimalPlaces>> = {
  "POST /payment-links": {
    "data": {
      "amount_required": true
    }
  },
  "GET /payment-links": {
    "data": {
      "*": {
        "amount_required": true
      }
    }
  },
  "GET /payment-links/{refid}": {
    "data": {
      "amount_required": true,
      "items": {
        "*": {
          "amount": true
        }
      },
      "quotes": {
        "*": {
          "amount": true,
          "rate": true
        }
      },
      "payments": {
        "*": {
          "amount": true,
          "worth": true
        }
      },
      "remaining": {
        "*": {
          "amount": true
        }
      },
      "excess": {
        "*": {
          "amount": true
        }
      }
    }
  },
  "POST /payment-links/{refid}/quotes": {
    "data": {
      "amount_required": true,
      "items": {
        "*": {
          "amount": true
        }
      },
      "quotes": {
        "*": {
          "amount": true,
          "rate": true
        }
      },
      "payments": {
        "*": {
          "amount": true,
          "worth": true
        }
      },
      "remaining": {
        "*": {
          "amount": true
        }
      },
      "excess": {
        "*": {
          "amount": true
        }
      }
    }
  },
  "POST /payment-links/{refid}/cancel": {
    "data": {
      "amount_required": true,
      "items": {
        "*": {
          "amount": true
        }
      },
      "quotes": {
        "*": {
          "amount": true,
          "rate": true
        }
      },
      "payments": {
        "*": {
          "amount": true,
          "worth": true
        }
      },
      "remaining": {
        "*": {
          "amount": true
        }
      },
      "excess": {
        "*": {
          "amount": true
        }
      }
    }
  },
  "POST /forms": {
    "data": {
      "amount": true,
      "minimum_amount": true,
      "maximum_amount": true,
      "suggested_amounts": {
        "*": true
      },
      "total_limit": true,
      "taken_amount": true
    }
  },
  "GET /forms": {
    "data": {
      "*": {
        "amount": true,
        "minimum_amount": true,
        "maximum_amount": true,
        "suggested_amounts": {
          "*": true
        },
        "total_limit": true,
        "taken_amount": true
      }
    }
  },
  "GET /forms/{form}": {
    "data": {
      "amount": true,
      "minimum_amount": true,
      "maximum_amount": true,
      "suggested_amounts": {
        "*": true
      },
      "total_limit": true,
      "taken_amount": true
    }
  },
  "PATCH /forms/{form}": {
    "data": {
      "amount": true,
      "minimum_amount": true,
      "maximum_amount": true,
      "suggested_amounts": {
        "*": true
      },
      "total_limit": true,
      "taken_amount": true
    }
  },
  "DELETE /forms/{form}": {
    "data": {
      "amount": true,
      "minimum_amount": true,
      "maximum_amount": true,
      "suggested_amounts": {
        "*": true
      },
      "total_limit": true,
      "taken_amount": true
    }
  },
  "GET /transaction/token-deposit": {
    "data": {
      "*": {
        "value": true,
        "total_received": true
      }
    }
  },
  "GET /transaction/deposit/{tx_hash}": {
    "data": {
      "value": true,
      "total_received": true,
      "others": {
        "*": {
          "value": true,
          "total_received": true
        }
      }
    }
  },
  "GET /transaction/status/{tx_hash}": {
    "data": {
      "value": true,
      "others": {
        "*": {
          "value": true
        }
      }
    }
  },
  "POST /transaction/network-fee": {
    "data": {
      "fee": true,
      "rates": {
        "fastest": true,
        "half_hour": true,
        "hour": true,
        "economy": true,
        "minimum": true
      },
      "gas_price": true
    }
  },
  "GET /transaction/fee": {
    "data": {
      "percentage": true,
      "fee": true
    }
  },
  "GET /transaction/token-withdrawal": {
    "data": {
      "*": {
        "value": true,
        "fee": true
      }
    }
  },
  "GET /transaction/refId/{refid}": {
    "data": {
      "value": true,
      "fee": true
    }
  },
  "POST /withdrawals": {
    "data": {
      "value": true,
      "fee": true
    }
  },
  "GET /withdrawals/{refid}": {
    "data": {
      "value": true,
      "fee": true
    }
  },
  "POST /withdrawals/{refid}/cancel": {
    "data": {
      "value": true,
      "fee": true
    }
  },
  "POST /payment-links/{refid}/refunds": {
    "data": {
      "value": true,
      "fee": true,
      "amount": true
    }
  },
  "GET /payment-links/{refid}/refund-claims": {
    "data": {
      "*": {
        "amount": true
      }
    }
  },
  "DELETE /payment-links/{refid}/refund-claims/{claim}": {
    "data": {
      "amount": true
    }
  },
  "GET /deposits/unmatched": {
    "data": {
      "*": {
        "value": true,
        "raw_value": true
      }
    }
  },
  "POST /balances": {
    "data": {
      "balance": {
        "btc": true,
        "eth": true,
        "usdt": true,
        "trx": true,
        "sol": true,
        "bnb": true,
        "ltc": true,
        "doge": true,
        "bch": true,
        "xrp": true,
        "shib": true,
        "ada": true,
        "twt": true,
        "busd": true,
        "comp": true,
        "usdc": true
      }
    }
  },
  "POST /history": {
    "data": {
      "history": {
        "*": {
          "balance_before": true,
          "balance_after": true,
          "amount": true
        }
      }
    }
  },
  "GET /analytics/stats": {
    "data": {
      "total_volume": true,
      "total_credit": true,
      "total_debit": true
    }
  },
  "POST /wallets/get-addresses": {
    "data": {
      "*": {
        "total_received": true
      }
    }
  },
  "GET /tokens": {
    "data": {
      "tokenConfigs": {
        "*": {
          "price_usd": true,
          "minimum_trade": true,
          "maximum_trade": true,
          "minimum_send": true,
          "maximum_send": true,
          "minimum_receive": true,
          "maximum_receive": true,
          "send_fee": true
        }
      }
    }
  },
  "POST /sandbox/payments": {
    "data": {
      "amount": true
    }
  }
};
