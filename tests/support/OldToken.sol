// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// As tokens of old compilers, such as USDT on Ethereum and on BNB Smart Chain: what exceeds an address is ignored, and not refused.
pragma abicoder v1;

contract OldToken {
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
