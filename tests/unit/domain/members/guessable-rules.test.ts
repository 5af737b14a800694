import assert from "node:assert/strict";
import { test } from "node:test";
import { isGuessable } from "#lib/domain/members/guessable-rules.ts";

const EMAIL = "ada.obi@kaduna-coffee.example";

test("refuses passwords that attackers try first", () => {
  const common = [
    ...["123456789012", "1234567890123", "password1234", "passwordpassword", "qwertyuiop123", "1q2w3e4r5t6y"],
    ...["qwerty123456", "iloveyou1234", "administrator", "1qaz2wsx3edc", "abcd12345678", "111111111111"],
    ...["aaaaaaaaaaaa", "letmein12345", "Password123!", "P@ssw0rd1234", "welcome12345", "changeme1234"],
    ...["q1w2e3r4t5y6", "123123123123", "asdfghjkl123", "000000000000", "paylink12345", "blahblahblah"],
    ...[
      "Football2024",
      "adaobi123456",
      "kaduna-coffee1",
      "admin admin admin",
      "Summer2025!!!!",
      "qwerty qwerty",
    ],
    ...[
      "ada.obi@2026!",
      "obi-ada-kaduna-26",
      "paylink-admin-2026",
      "test-company-1",
      "lagosnigeria1",
      "Nigeria@2026!",
    ],
    // Two of the 100,000 most common follow no pattern.
    ...["diunilaobu8*", "Perasperaadastra"],
  ];
  for (const password of common) assert.ok(isGuessable(password, EMAIL), password);
});

test("accepts several words, and what a password manager makes", () => {
  const good = [
    ...["correct horse battery staple", "correct horse battery", "a right password 1", "vM8#kd02!qpZx"],
    ...["the stranger's password", "seven green bicycles", "Tr0ub4dor&3xyzk", "ọjọ́ méje l'ọ̀sẹ̀"],
  ];
  // The words after the own address are hard to guess.
  good.push(`${EMAIL} seven green bicycles`);
  for (const password of good) assert.ok(!isGuessable(password, EMAIL), password);
});
