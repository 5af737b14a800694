const { check } = require("./check.js");

check(require("@paylink/client"), require("@paylink/widget"), require("@paylink/widget/react"));
