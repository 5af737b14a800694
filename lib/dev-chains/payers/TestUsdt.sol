// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A stand-in for USDT on development chains. Like the real one on Ethereum, `transfer` returns nothing.
/// Anyone may mint: it is worth nothing.
contract TestUsdt {
    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    uint8 public immutable decimals;
    uint256 public totalSupply;
    /// Basis points that every transfer loses on its way to `feeTaker`.
    uint256 public feeBps;
    address public feeTaker;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 decimals_, uint256 initialSupply) {
        decimals = decimals_;
        mint(msg.sender, initialSupply);
    }

    function mint(address to, uint256 amount) public {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function setFee(uint256 bps, address taker) external {
        require(bps <= 10_000, "fee too high");
        feeBps = bps;
        feeTaker = taker;
    }

    function transfer(address to, uint256 amount) external {
        move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    /// Several payments in one transaction.
    function pay(address[] calldata to, uint256[] calldata amounts) external {
        require(to.length == amounts.length, "lengths differ");
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], amounts[i]);
    }

    function move(address from, address to, uint256 amount) private {
        uint256 fee = (amount * feeBps) / 10_000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        emit Transfer(from, to, amount - fee);
        if (fee > 0) {
            balanceOf[feeTaker] += fee;
            emit Transfer(from, feeTaker, fee);
        }
    }
}
