// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// The code of deposit addresses while they are swept (EIP-7702), and the entry that sweeps many of them in one transaction.
/// Anyone may call it. Whatever is called, money moves to the vault and nowhere else.
contract Sweeper {
    address private immutable VAULT;
    address private immutable SELF = address(this);

    constructor(address vault) {
        VAULT = vault;
    }

    /// As an account without code: it accepts coins with any data, also with the 2,300 gas of `transfer`.
    fallback() external payable {}

    receive() external payable {}

    /// Called on a deposit address. Moves all that it holds of a token, or of the coin (token 0), to the vault.
    function sweep(address token) external returns (uint256 amount) {
        bool moved;
        bytes memory answer;
        if (token == address(0)) {
            amount = address(this).balance;
            (moved, ) = VAULT.call{value: amount}("");
        } else {
            amount = Token(token).balanceOf(address(this));
            (moved, answer) = token.call(abi.encodeCall(Token.transfer, (VAULT, amount)));
            // Some tokens return nothing. Some return false instead of failing.
            moved = moved && (answer.length == 0 || abi.decode(answer, (bool)));
        }
        require(moved);
    }

    /// Called on this contract. What fails at one address changes nothing at the others.
    /// Returns what each address moved (the largest number: it failed), and its gas.
    function sweepMany(address token, address[] calldata accounts) external returns (uint256[2][] memory results) {
        require(address(this) == SELF);
        bytes memory call = abi.encodeCall(this.sweep, (token));
        results = new uint256[2][](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) {
            uint256 gas = gasleft();
            (bool moved, bytes memory answer) = accounts[i].call(call);
            results[i] = [type(uint256).max, gas - gasleft()];
            if (moved && answer.length == 32) results[i][0] = abi.decode(answer, (uint256));
        }
    }
}
